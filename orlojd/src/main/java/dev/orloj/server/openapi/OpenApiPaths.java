package dev.orloj.server.openapi;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/**
 * Writes down what can be done with a kind, as OpenAPI 3. Clients read from the parameters of a
 * patch that the server checks the fields of what it is sent.
 */
final class OpenApiPaths {

    private static final String WRITES_NAMED = "/{name}";

    private OpenApiPaths() {}

    static void add(ObjectNode paths, KindDescriptor<?> descriptor) {
        Kind<?> kind = descriptor.kind();
        String root = "/" + OpenApiDocuments.path(kind);
        if (kind.namespaced()) {
            addRead(paths.putObject(root + "/" + kind.plural()), "list", kind);
        }
        String collection =
                (kind.namespaced() ? root + "/namespaces/{namespace}/" : root + "/")
                        + kind.plural();
        ObjectNode all = paths.putObject(collection);
        addRead(all, "list", kind);
        ObjectNode one = paths.putObject(collection + WRITES_NAMED);
        addRead(one, "get", kind);
        if (descriptor.readOnly()) {
            return;
        }
        addWrite(all, "post", kind);
        all.set("delete", operation("deletecollection", kind));
        addWrites(one, kind);
        one.set("delete", operation("delete", kind));
        if (descriptor.hasStatus()) {
            addPart(paths.putObject(collection + WRITES_NAMED + "/status"), kind);
        }
        if (descriptor.scale().isPresent()) {
            addPart(paths.putObject(collection + WRITES_NAMED + "/scale"), SCALE);
        }
    }

    /** What scales look like is the same for all kinds. */
    private static final Kind<?> SCALE =
            new Kind<>("autoscaling", "v1", "Scale", "scales", true, dev.orloj.api.Resource.class);

    static void addKind(ObjectNode target, Kind<?> kind) {
        target.put("group", kind.group()).put("version", kind.version()).put("kind", kind.name());
    }

    private static void addPart(ObjectNode path, Kind<?> kind) {
        addRead(path, "get", kind);
        addWrites(path, kind);
    }

    private static void addRead(ObjectNode path, String action, Kind<?> kind) {
        path.set("get", operation(action, kind));
    }

    private static void addWrites(ObjectNode path, Kind<?> kind) {
        addWrite(path, "put", kind);
        addWrite(path, "patch", kind);
        addParameter((ArrayNode) path.path("patch").path("parameters"), "force", "boolean");
    }

    private static void addWrite(ObjectNode path, String method, Kind<?> kind) {
        ObjectNode operation = operation(method, kind);
        ArrayNode parameters = operation.putArray("parameters");
        for (String name : List.of("dryRun", "fieldManager", "fieldValidation")) {
            addParameter(parameters, name, "string");
        }
        path.set(method, operation);
    }

    private static ObjectNode operation(String action, Kind<?> kind) {
        ObjectNode operation = Json.MAPPER.createObjectNode();
        operation.putArray("tags").add(kind.apiVersion().replace('/', '_'));
        operation.put("operationId", action + kind.name());
        operation.put("x-kubernetes-action", action);
        addKind(operation.putObject(OpenApiDocuments.GROUP_VERSION_KIND), kind);
        operation.withObject("/responses/200").put("description", "OK");
        return operation;
    }

    private static void addParameter(ArrayNode parameters, String name, String type) {
        ObjectNode parameter = parameters.addObject();
        parameter.put("name", name).put("in", "query");
        parameter.putObject("schema").put("type", type).put("uniqueItems", true);
    }
}
