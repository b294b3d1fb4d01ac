package dev.orloj.runtime.http;

import dev.orloj.api.codec.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The template of a tool's requests. Arguments with placeholders are inserted there; other
 * arguments go into the query of GET and DELETE, and into the body of other methods. Immutable.
 */
public final class RequestTemplate {

    private static final Set<String> METHODS_WITHOUT_BODY = Set.of("GET", "DELETE");
    private static final int LONGEST_HEADER = 16 * 1024;

    private final String method;
    private final UrlTemplate url;
    private final Map<String, TextTemplate> headers;
    private final @Nullable BodyTemplate body;
    private final Set<String> placed;
    private final List<String> secrets;

    private RequestTemplate(
            String method,
            UrlTemplate url,
            Map<String, TextTemplate> headers,
            @Nullable BodyTemplate body,
            List<String> secrets) {
        this.method = method;
        this.url = url;
        this.headers = headers;
        this.body = body;
        this.secrets = secrets;
        this.placed = new LinkedHashSet<>(url.names().toList());
        headers.values().forEach(header -> placed.addAll(header.names()));
        if (body != null) {
            placed.addAll(body.names());
        }
    }

    /**
     * @param endpoint a URL with placeholders for arguments
     * @param body a JSON template; null for a body with the arguments that have no placeholder
     * @throws InvalidTemplateException with the field and the remedy
     */
    public static RequestTemplate of(
            String method,
            String endpoint,
            List<RequestParameter> query,
            List<RequestParameter> headers,
            @Nullable JsonNode body) {
        Map<String, TextTemplate> templates = new LinkedHashMap<>();
        for (int i = 0; i < headers.size(); i++) {
            String field = "spec.headers[%d].value".formatted(i);
            templates.put(headers.get(i).name(), headers.get(i).template(field));
        }
        return new RequestTemplate(
                method,
                UrlTemplate.parse(endpoint, query),
                templates,
                body == null ? null : BodyTemplate.parse(body),
                Stream.concat(query.stream(), headers.stream())
                        .filter(RequestParameter::isSecret)
                        .map(RequestParameter::value)
                        .toList());
    }

    /**
     * Requires that the schema declares the arguments with placeholders, so that clients know them.
     *
     * @param inputSchema schema of the tool; nothing is required when it does not list the
     *     arguments
     * @throws InvalidTemplateException with the placeholder and the remedy
     */
    public void requireArguments(JsonNode inputSchema) {
        if (!(inputSchema.path("properties") instanceof ObjectNode properties)
                || inputSchema.has("$ref")
                || inputSchema.has("allOf")
                || inputSchema.has("anyOf")
                || inputSchema.has("oneOf")
                || inputSchema.has("patternProperties")) {
            return;
        }
        for (String name : placed) {
            if (!properties.has(name)) {
                throw new InvalidTemplateException(
                        "spec.input_schema",
                        "has no property \"%s\", which the request has a place for: {%s}; add it, or correct the name"
                                .formatted(name, name));
            }
        }
    }

    /** Returns a schema of the arguments that have placeholders. */
    public ObjectNode schema() {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        placed.forEach(properties::putObject);
        ArrayNode required = schema.putArray("required");
        new TreeSet<>(url.pathNames().toList()).forEach(required::add);
        return required.isEmpty() ? schema.without("required") : schema;
    }

    /** Returns the values that are never shown. */
    List<String> secrets() {
        return secrets;
    }

    PreparedRequest fill(ObjectNode arguments) throws UnfitArgumentsException {
        boolean hasBody = !METHODS_WITHOUT_BODY.contains(method);
        Set<String> rest = new LinkedHashSet<>(arguments.propertyNames());
        rest.removeAll(placed);
        URI target = url.fill(arguments, hasBody ? Set.of() : rest);
        Map<String, String> filled = new LinkedHashMap<>();
        for (Map.Entry<String, TextTemplate> header : headers.entrySet()) {
            header.getValue()
                    .fill(
                            name -> ArgumentText.inHeader(arguments, name),
                            new TextLimit("the header " + header.getKey(), LONGEST_HEADER))
                    .ifPresent(value -> filled.put(header.getKey(), value.strip()));
        }
        return new PreparedRequest(method, target, filled, hasBody ? body(arguments, rest) : null);
    }

    private byte[] body(ObjectNode arguments, Set<String> rest) throws UnfitArgumentsException {
        if (body != null) {
            return body.fill(arguments);
        }
        ObjectNode object = arguments.objectNode();
        rest.forEach(name -> object.set(name, arguments.get(name)));
        return Json.MAPPER.writeValueAsBytes(object);
    }

    /** Omits secrets. */
    @Override
    public String toString() {
        return method + " " + url.origin();
    }
}
