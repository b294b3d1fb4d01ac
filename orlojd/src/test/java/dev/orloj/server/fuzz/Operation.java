package dev.orloj.server.fuzz;

import dev.orloj.api.codec.Json;
import dev.orloj.server.testing.RestClient;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One thing that can be done, as the OpenAPI document describes it.
 *
 * @param document whose schemas are referred to
 */
record Operation(String method, String path, JsonNode described, JsonNode document) {

    private static final int MAX_DEPTH = 8;
    private static final Set<String> METHODS = Set.of("get", "put", "post", "patch", "delete");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    static List<Operation> all(RestClient client) {
        List<Operation> all = new ArrayList<>();
        JsonNode index = client.get("/openapi/v3").expect(200).body().path("paths");
        for (JsonNode group : index) {
            String url = group.path("serverRelativeURL").asString();
            JsonNode document = client.get(url).expect(200).body();
            for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
                for (Map.Entry<String, JsonNode> entry : path.getValue().properties()) {
                    if (METHODS.contains(entry.getKey())) {
                        String method = entry.getKey().toUpperCase(Locale.ROOT);
                        all.add(new Operation(method, path.getKey(), entry.getValue(), document));
                    }
                }
            }
        }
        return all;
    }

    String kind() {
        return described.at("/x-kubernetes-group-version-kind/kind").asString("");
    }

    /** Names of what stands in braces. */
    List<String> places() {
        return Stream.of("namespace", "name").filter(n -> path.contains("{" + n + "}")).toList();
    }

    List<String> queries() {
        return described
                .path("parameters")
                .valueStream()
                .map(parameter -> parameter.path("name").asString())
                .toList();
    }

    List<String> contentTypes() {
        return List.copyOf(described.at("/requestBody/content").propertyNames());
    }

    /** The schema of the body in the form of one content type. */
    JsonNode schema(String contentType) {
        return described.path("requestBody").path("content").path(contentType).path("schema");
    }

    /** The schema of the resource itself, of which a patch is a part. */
    JsonNode resource() {
        return described
                .path("responses")
                .path("200")
                .path("content")
                .path("application/json")
                .path("schema");
    }

    /** The schema behind a reference, alone or in an {@code allOf}. */
    private JsonNode resolve(JsonNode schema) {
        JsonNode reference =
                schema.has("$ref") ? schema.path("$ref") : schema.at("/allOf/0").path("$ref");
        String text = reference.asString("");
        return text.isEmpty()
                ? schema
                : document.at("/components/schemas")
                        .path(text.substring(text.lastIndexOf('/') + 1));
    }

    /** The least that a schema lets pass, by the name that the tests give. */
    ObjectNode least(JsonNode schema, String name) {
        if (!(least(schema) instanceof ObjectNode manifest)) {
            return Json.MAPPER.createObjectNode();
        }
        JsonNode kind = resolve(schema).path("x-kubernetes-group-version-kind").path(0);
        String group = kind.path("group").asString("");
        String version = kind.path("version").asString("");
        manifest.put("apiVersion", group.isEmpty() ? version : group + "/" + version);
        manifest.put("kind", kind.path("kind").asString(""));
        manifest.withObject("/metadata").put("name", name);
        return manifest;
    }

    private JsonNode least(JsonNode referring) {
        JsonNode schema = resolve(referring);
        if (schema.path("enum").isArray()) {
            return schema.path("enum").path(0);
        }
        return switch (schema.path("type").asString("")) {
            case "object" -> {
                ObjectNode object = Json.MAPPER.createObjectNode();
                for (JsonNode name : schema.path("required")) {
                    object.set(
                            name.asString(),
                            least(schema.path("properties").path(name.asString())));
                }
                yield object;
            }
            case "array" -> Json.MAPPER.createArrayNode();
            case "integer", "number" -> NODES.numberNode(schema.path("minimum").asInt(1));
            case "boolean" -> NODES.booleanNode(true);
            default -> NODES.stringNode("a");
        };
    }

    /** Paths of all fields: names, and 0 for the first element of a list. */
    List<List<String>> fields(JsonNode schema) {
        List<List<String>> found = new ArrayList<>();
        collect(schema, List.of(), found);
        return found;
    }

    private void collect(JsonNode referring, List<String> path, List<List<String>> found) {
        JsonNode schema = resolve(referring);
        if (!path.isEmpty()) {
            found.add(path);
        }
        if (path.size() == MAX_DEPTH) {
            return;
        }
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            collect(property.getValue(), WrongValues.below(path, property.getKey()), found);
        }
        if (schema.path("additionalProperties").isObject()) {
            collect(schema.path("additionalProperties"), WrongValues.below(path, "key"), found);
        }
        if (schema.path("items").isObject()) {
            collect(schema.path("items"), WrongValues.below(path, "0"), found);
        }
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
