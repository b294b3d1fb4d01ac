package dev.orloj.server.openapi;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** Builds one OpenAPI 3 operation of a kind: its parameters, its body and its responses. */
final class OpenApiOperation {

    static final List<String> DOCUMENTS = List.of("application/json", "application/yaml");

    private static final String JSON_PATCH = "application/json-patch+json";
    private static final List<String> PATCHES =
            List.of("application/apply-patch+yaml", JSON_PATCH, "application/merge-patch+json");

    private final ObjectNode json = Json.MAPPER.createObjectNode();

    /**
     * @param action the Kubernetes name of the action
     * @param of distinguishes operations with the same action and kind
     */
    OpenApiOperation(String action, Kind<?> kind, String of) {
        json.putArray("tags").add(kind.apiVersion().replace('/', '_'));
        json.put("operationId", action + kind.name() + of);
        json.put("x-kubernetes-action", action);
        addKind(json.putObject(OpenApiDocuments.GROUP_VERSION_KIND), kind);
    }

    static void addKind(ObjectNode target, Kind<?> kind) {
        target.put("group", kind.group()).put("version", kind.version()).put("kind", kind.name());
    }

    OpenApiOperation query(String type, String... names) {
        ArrayNode parameters = json.withArray("parameters");
        for (String name : names) {
            ObjectNode parameter = parameters.addObject();
            parameter.put("name", name).put("in", "query");
            parameter.putObject("schema").put("type", type).put("uniqueItems", true);
        }
        return this;
    }

    OpenApiOperation body(boolean required, String schema) {
        ObjectNode content = body(required);
        DOCUMENTS.forEach(type -> refer(content.putObject(type), schema));
        return this;
    }

    /** Adds a body for each supported patch type. */
    OpenApiOperation patches(boolean strategic) {
        ObjectNode content = body(true);
        for (String type : PATCHES) {
            refer(
                    content.putObject(type),
                    type.equals(JSON_PATCH) ? MetaSchemas.JSON_PATCH : MetaSchemas.PATCH);
        }
        if (strategic) {
            String type = "application/strategic-merge-patch+json";
            refer(content.putObject(type), MetaSchemas.PATCH);
        }
        return this;
    }

    private ObjectNode body(boolean required) {
        ObjectNode body = json.putObject("requestBody");
        body.put("required", required);
        return body.putObject("content");
    }

    /** Returns the operation, with a response of the given schema for each of the codes. */
    ObjectNode answering(String schema, int... codes) {
        ObjectNode responses = json.putObject("responses");
        for (int code : codes) {
            // Not by JSON pointer, which would treat the number as an index.
            ObjectNode response = responses.putObject(String.valueOf(code));
            response.put("description", code == 201 ? "Created" : "OK");
            ObjectNode content = response.putObject("content");
            DOCUMENTS.forEach(type -> refer(content.putObject(type), schema));
        }
        return json;
    }

    private static void refer(ObjectNode media, String schema) {
        media.putObject("schema").put("$ref", OpenApiDocuments.V3_REFERENCE + schema);
    }
}
