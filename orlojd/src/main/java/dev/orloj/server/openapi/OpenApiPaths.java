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
            addRead(path(paths, root + "/" + kind.plural()), "list", kind, "ForAllNamespaces");
        }
        String collection =
                (kind.namespaced() ? root + "/namespaces/{namespace}/" : root + "/")
                        + kind.plural();
        ObjectNode all = path(paths, collection);
        addRead(all, "list", kind, "");
        ObjectNode one = path(paths, collection + WRITES_NAMED);
        addRead(one, "get", kind, "");
        if (descriptor.readOnly()) {
            return;
        }
        addWrite(all, "post", kind, "");
        all.set("delete", operation("deletecollection", kind, ""));
        addWrites(one, kind, "");
        one.set("delete", operation("delete", kind, ""));
        if (descriptor.hasStatus()) {
            addPart(path(paths, collection + WRITES_NAMED + "/status"), kind, "Status");
        }
        if (descriptor.scale().isPresent()) {
            addPart(path(paths, collection + WRITES_NAMED + "/scale"), SCALE, kind.name());
        }
        for (String action : descriptor.actions()) {
            String title = Character.toUpperCase(action.charAt(0)) + action.substring(1);
            addWrite(path(paths, collection + WRITES_NAMED + "/" + action), "post", kind, title);
        }
    }

    /** What scales look like is the same for all kinds. */
    private static final Kind<?> SCALE =
            new Kind<>("autoscaling", "v1", "Scale", "scales", true, dev.orloj.api.Resource.class);

    /** A path, with what its braces stand for. */
    private static ObjectNode path(ObjectNode paths, String template) {
        ObjectNode path = paths.putObject(template);
        for (String name : List.of("namespace", "name")) {
            if (template.contains("{" + name + "}")) {
                ObjectNode parameter = path.withArray("parameters").addObject();
                parameter.put("name", name).put("in", "path").put("required", true);
                parameter.putObject("schema").put("type", "string").put("uniqueItems", true);
            }
        }
        return path;
    }

    static void addKind(ObjectNode target, Kind<?> kind) {
        target.put("group", kind.group()).put("version", kind.version()).put("kind", kind.name());
    }

    private static void addPart(ObjectNode path, Kind<?> kind, String of) {
        addRead(path, "get", kind, of);
        addWrites(path, kind, of);
    }

    private static void addRead(ObjectNode path, String action, Kind<?> kind, String of) {
        path.set("get", operation(action, kind, of));
    }

    private static void addWrites(ObjectNode path, Kind<?> kind, String of) {
        addWrite(path, "put", kind, of);
        addWrite(path, "patch", kind, of);
        addParameter((ArrayNode) path.path("patch").path("parameters"), "force", "boolean");
    }

    private static void addWrite(ObjectNode path, String method, Kind<?> kind, String of) {
        ObjectNode operation = operation(method, kind, of);
        ArrayNode parameters = operation.putArray("parameters");
        for (String name : List.of("dryRun", "fieldManager", "fieldValidation")) {
            addParameter(parameters, name, "string");
        }
        path.set(method, operation);
    }

    /**
     * @param of what tells the operation from others of the same action and kind
     */
    private static ObjectNode operation(String action, Kind<?> kind, String of) {
        ObjectNode operation = Json.MAPPER.createObjectNode();
        operation.putArray("tags").add(kind.apiVersion().replace('/', '_'));
        operation.put("operationId", action + kind.name() + of);
        operation.put("x-kubernetes-action", action);
        addKind(operation.putObject(OpenApiDocuments.GROUP_VERSION_KIND), kind);
        // Not by a JSON pointer: it would take the number for an index.
        operation.putObject("responses").putObject("200").put("description", "OK");
        return operation;
    }

    private static void addParameter(ArrayNode parameters, String name, String type) {
        ObjectNode parameter = parameters.addObject();
        parameter.put("name", name).put("in", "query");
        parameter.putObject("schema").put("type", type).put("uniqueItems", true);
    }
}
