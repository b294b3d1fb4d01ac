package dev.orloj.server.rest.http;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceVersion;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The query parameters of a request. The first of several with one name counts; unknown ones are
 * ignored.
 */
public final class QueryParameters {

    private static final Set<String> TRUE = Set.of("", "true", "1", "t", "T", "TRUE", "True");
    private static final Set<String> FALSE = Set.of("false", "0", "f", "F", "FALSE", "False");

    private final Map<String, String> parameters = new HashMap<>();

    private QueryParameters() {}

    /**
     * @throws ApiException (BadRequest) when the encoding of a parameter is invalid
     */
    public static QueryParameters parse(@Nullable String raw) {
        QueryParameters query = new QueryParameters();
        for (String part : raw == null || raw.isEmpty() ? new String[0] : raw.split("&", -1)) {
            int sign = part.indexOf('=');
            String name = decode(sign < 0 ? part : part.substring(0, sign));
            String value = sign < 0 ? "" : decode(part.substring(sign + 1));
            query.parameters.putIfAbsent(name, value);
        }
        return query;
    }

    private static String decode(String text) {
        return PercentEncoding.decode("query", text.replace('+', ' '));
    }

    public boolean has(String name) {
        return parameters.containsKey(name);
    }

    /** The value, or the empty string. */
    public String text(String name) {
        return parameters.getOrDefault(name, "");
    }

    /** Whether a flag is set; its name without a value sets it. */
    public boolean isOn(String name) {
        String value = parameters.get(name);
        if (value == null || FALSE.contains(value)) {
            return false;
        }
        if (!TRUE.contains(value)) {
            throw invalid(name, value, "must be true or false");
        }
        return true;
    }

    /** A number that is not negative; one that exceeds an int counts as the largest. */
    public OptionalInt number(String name) {
        String value = text(name);
        if (value.isEmpty()) {
            return OptionalInt.empty();
        }
        if (!value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw invalid(name, value, "must be a whole number, 0 or more");
        }
        return OptionalInt.of(value.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(value));
    }

    /** A number from 1; one that exceeds a long counts as the largest. */
    public OptionalLong positive(String name) {
        String value = text(name);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!value.matches("[0-9]+") || value.matches("0+")) {
            throw invalid(name, value, "must be a whole number, 1 or more");
        }
        return OptionalLong.of(value.length() > 18 ? Long.MAX_VALUE : Long.parseLong(value));
    }

    public ResourceVersion resourceVersion() {
        String value = text("resourceVersion");
        try {
            return ResourceVersion.parse(value);
        } catch (ApiException e) {
            throw invalid("resourceVersion", value, "must be 0 or a number that the server gave");
        }
    }

    /** One of a few values, each by its name; empty when the parameter is absent. */
    public <E> Optional<E> choice(String name, Map<String, E> choices) {
        String value = text(name);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        E choice = choices.get(value);
        if (choice == null) {
            throw invalid(
                    name,
                    value,
                    "must be one of "
                            + String.join(", ", choices.keySet().stream().sorted().toList()));
        }
        return Optional.of(choice);
    }

    public static ApiException invalid(String name, String value, String remedy) {
        return ApiException.badRequest(
                "query parameter \"%s\": invalid value \"%s\": %s".formatted(name, value, remedy));
    }
}
