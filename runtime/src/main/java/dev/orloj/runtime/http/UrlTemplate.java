package dev.orloj.runtime.http;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A URL with placeholders for arguments in path segments and in the query. Scheme and host have
 * none, so that an argument cannot determine the target of a request. Immutable.
 */
final class UrlTemplate {

    static final String FIELD = "spec.endpoint";

    private static final Pattern URL =
            Pattern.compile("(?i)(https?://[^/?#]+)([^?#]*)(?:\\?([^#]*))?(#.*)?");
    private static final TextLimit LIMIT = new TextLimit("the URL", 32 * 1024);
    private static final String EXAMPLE = "https://api.example.com/items/{id}";

    /**
     * A query parameter.
     *
     * @param text the complete parameter if the manifest contains it encoded, else its value
     */
    private record Pair(@Nullable String name, TextTemplate text) {

        Optional<String> fill(ObjectNode arguments) throws UnfitArgumentsException {
            TextTemplate.Values values =
                    place -> {
                        JsonNode value = ArgumentText.given(arguments, place);
                        String plain = value == null ? null : ArgumentText.of(value);
                        return name == null && plain != null
                                ? ArgumentText.percentEncoded(plain)
                                : plain;
                    };
            return text.fill(values, LIMIT)
                    .map(filled -> name == null ? filled : parameter(name, filled));
        }
    }

    private final String origin;
    private final List<TextTemplate> segments;
    private final List<Pair> pairs;

    private UrlTemplate(String origin, List<TextTemplate> segments, List<Pair> pairs) {
        this.origin = origin;
        this.segments = List.copyOf(segments);
        this.pairs = List.copyOf(pairs);
    }

    /**
     * @throws InvalidTemplateException with the field and the remedy
     */
    static UrlTemplate parse(String endpoint, List<RequestParameter> query) {
        Matcher url = URL.matcher(endpoint.strip());
        if (!url.matches()) {
            throw new InvalidTemplateException(FIELD, "must be a URL such as " + EXAMPLE);
        }
        if (url.group(4) != null) {
            throw new InvalidTemplateException(FIELD, "must have no fragment (#...)");
        }
        requireOrigin(url.group(1));
        List<TextTemplate> segments =
                Arrays.stream(url.group(2).split("/", -1))
                        .map(segment -> TextTemplate.parse(FIELD, segment))
                        .toList();
        List<Pair> pairs = new ArrayList<>();
        if (url.group(3) != null && !url.group(3).isEmpty()) {
            for (String pair : url.group(3).split("&", -1)) {
                pairs.add(new Pair(null, TextTemplate.parse(FIELD, pair)));
            }
        }
        for (int i = 0; i < query.size(); i++) {
            String field = "spec.query[%d].value".formatted(i);
            pairs.add(new Pair(query.get(i).name(), query.get(i).template(field)));
        }
        UrlTemplate template = new UrlTemplate(url.group(1), segments, pairs);
        template.requireUrl();
        return template;
    }

    private static void requireOrigin(String origin) {
        if (origin.indexOf('{') >= 0 || origin.indexOf('}') >= 0) {
            throw new InvalidTemplateException(
                    FIELD,
                    "must have no place for an argument before its path: the host stands in the"
                            + " manifest");
        }
        try {
            URI uri = new URI(origin);
            if (uri.getUserInfo() != null) {
                throw new InvalidTemplateException(
                        FIELD,
                        "must have no credentials in it; put them into a Secret and use spec.auth");
            }
            if (uri.getHost() == null) {
                throw new InvalidTemplateException(FIELD, "must be a URL such as " + EXAMPLE);
            }
        } catch (URISyntaxException e) {
            throw new InvalidTemplateException(FIELD, "must be a URL: " + e.getReason());
        }
    }

    /** Requires that the text around placeholders is valid in a URL. */
    private void requireUrl() {
        try {
            StringBuilder path = new StringBuilder();
            for (TextTemplate segment : segments) {
                path.append('/').append(segment.fill(_ -> "x", TextLimit.NONE).orElse(""));
            }
            List<String> query = new ArrayList<>();
            for (Pair pair : pairs) {
                if (pair.name() == null) {
                    query.add(pair.text().fill(_ -> "x", TextLimit.NONE).orElse(""));
                }
            }
            new URI(origin + path + "?" + String.join("&", query));
        } catch (URISyntaxException e) {
            throw new InvalidTemplateException(
                    FIELD,
                    "must be a URL, with other characters percent-encoded: " + e.getReason());
        } catch (UnfitArgumentsException e) {
            throw new IllegalStateException("no argument was placed", e);
        }
    }

    /** Returns scheme, host and port. */
    String origin() {
        return origin;
    }

    Stream<String> names() {
        return Stream.concat(
                pathNames(), pairs.stream().flatMap(pair -> pair.text().names().stream()));
    }

    /** Returns the names of the arguments that the path requires. */
    Stream<String> pathNames() {
        return segments.stream().flatMap(segment -> segment.names().stream());
    }

    /**
     * @param rest arguments that are added as parameters with their own names
     */
    URI fill(ObjectNode arguments, Set<String> rest) throws UnfitArgumentsException {
        StringBuilder url = new StringBuilder(origin);
        appendPath(url, arguments);
        int path = url.length();
        for (Pair pair : pairs) {
            for (ObjectNode each : repeated(pair, arguments)) {
                Optional<String> filled = pair.fill(each);
                if (filled.isPresent()) {
                    appendParameter(url, path, filled.get());
                }
            }
        }
        for (Map.Entry<String, JsonNode> argument : arguments.properties()) {
            if (rest.contains(argument.getKey()) && !argument.getValue().isNull()) {
                for (String value : ArgumentText.inQuery(argument.getValue())) {
                    appendParameter(url, path, parameter(argument.getKey(), value));
                }
            }
        }
        return URI.create(url.toString());
    }

    private void appendPath(StringBuilder url, ObjectNode arguments)
            throws UnfitArgumentsException {
        String separator = "";
        for (TextTemplate segment : segments) {
            String filled =
                    segment.fill(name -> ArgumentText.inPath(arguments, name), LIMIT).orElse("");
            if (!segment.names().isEmpty() && ArgumentText.isDots(filled)) {
                throw UnfitArgumentsException.invalid(
                        segment.names().getFirst(), "must not make a part of the path . or ..");
            }
            url.append(separator).append(filled);
            LIMIT.check(url.length());
            separator = "/";
        }
    }

    /**
     * @param path length of the URL up to its query
     */
    private static void appendParameter(StringBuilder url, int path, String parameter)
            throws UnfitArgumentsException {
        url.append(url.length() == path ? '?' : '&').append(parameter);
        LIMIT.check(url.length());
    }

    /** Returns the arguments once per item, if the parameter is a placeholder for a list. */
    private static List<ObjectNode> repeated(Pair pair, ObjectNode arguments) {
        List<String> names = pair.text().names();
        if (names.size() != 1 || !(arguments.get(names.getFirst()) instanceof ArrayNode items)) {
            return List.of(arguments);
        }
        return items.valueStream()
                .map(item -> arguments.objectNode().set(names.getFirst(), item))
                .toList();
    }

    private static String parameter(String name, String value) {
        return ArgumentText.percentEncoded(name) + "=" + ArgumentText.percentEncoded(value);
    }
}
