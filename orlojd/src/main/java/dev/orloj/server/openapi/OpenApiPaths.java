package dev.orloj.server.openapi;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.KindDescriptor;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/**
 * Generates the OpenAPI 3 operations of a kind. From the parameters of a patch, clients conclude
 * that the server validates the fields of a request.
 */
final class OpenApiPaths {

    private static final String WRITES_NAMED = "/{name}";

    /** The kind of all scales, whatever kind they belong to. */
    private static final Kind<?> SCALE =
            new Kind<>("autoscaling", "v1", "Scale", "scales", true, dev.orloj.api.Resource.class);

    private final ObjectNode paths;
    private final KindDescriptor<?> descriptor;
    private final Kind<?> kind;
    private final String schema;

    private OpenApiPaths(ObjectNode paths, KindDescriptor<?> descriptor) {
        this.paths = paths;
        this.descriptor = descriptor;
        this.kind = descriptor.kind();
        this.schema = OpenApiDocuments.schemaName(kind);
    }

    static void add(ObjectNode paths, KindDescriptor<?> descriptor) {
        new OpenApiPaths(paths, descriptor).add();
    }

    private void add() {
        String root = "/" + OpenApiDocuments.path(kind);
        if (kind.namespaced()) {
            path(root + "/" + kind.plural()).set("get", list("ForAllNamespaces"));
        }
        String collection =
                (kind.namespaced() ? root + "/namespaces/{namespace}/" : root + "/")
                        + kind.plural();
        ObjectNode all = path(collection);
        all.set("get", list(""));
        ObjectNode one = path(collection + WRITES_NAMED);
        one.set("get", read(kind, "", schema));
        if (descriptor.readOnly()) {
            return;
        }
        all.set("post", write("post", kind, "").body(true, schema).answering(schema, 200, 201));
        all.set("delete", delete("deletecollection"));
        addWrites(one, kind, "", schema);
        one.set("delete", delete("delete"));
        if (descriptor.hasStatus()) {
            addPart(collection + WRITES_NAMED + "/status", kind, "Status", schema);
        }
        if (descriptor.scale().isPresent()) {
            addPart(collection + WRITES_NAMED + "/scale", SCALE, kind.name(), MetaSchemas.SCALE);
        }
        for (String action : descriptor.actions()) {
            String title = Character.toUpperCase(action.charAt(0)) + action.substring(1);
            path(collection + WRITES_NAMED + "/" + action)
                    .set("post", write("post", kind, title).answering(schema, 200));
        }
    }

    /** Adds a path with its path parameters. */
    private ObjectNode path(String template) {
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

    private void addPart(String template, Kind<?> shown, String of, String shape) {
        ObjectNode path = path(template);
        path.set("get", read(shown, of, shape));
        addWrites(path, shown, of, shape);
    }

    private void addWrites(ObjectNode path, Kind<?> shown, String of, String shape) {
        path.set("put", write("put", shown, of).body(true, shape).answering(shape, 200, 201));
        path.set(
                "patch",
                write("patch", shown, of)
                        .query("boolean", "force")
                        .patches(descriptor.strategicMerge())
                        .answering(shape, 200, 201));
    }

    private static OpenApiOperation write(String method, Kind<?> shown, String of) {
        return new OpenApiOperation(method, shown, of)
                .query("string", "dryRun", "fieldManager", "fieldValidation");
    }

    private static ObjectNode read(Kind<?> shown, String of, String shape) {
        return new OpenApiOperation("get", shown, of)
                .query("string", "resourceVersion")
                .answering(shape, 200);
    }

    private ObjectNode list(String of) {
        return chosen(new OpenApiOperation("list", kind, of))
                .query("integer", "limit")
                .query("string", "continue", "resourceVersion", "resourceVersionMatch")
                .query("boolean", "watch", "allowWatchBookmarks", "sendInitialEvents")
                .query("integer", "timeoutSeconds")
                .answering(MetaSchemas.list(schema), 200);
    }

    private static OpenApiOperation chosen(OpenApiOperation operation) {
        return operation.query("string", "labelSelector", "fieldSelector");
    }

    private ObjectNode delete(String action) {
        OpenApiOperation delete = new OpenApiOperation(action, kind, "");
        return (action.equals("delete") ? delete : chosen(delete))
                .query("string", "dryRun", "propagationPolicy")
                .query("integer", "gracePeriodSeconds")
                .query("boolean", "orphanDependents")
                .body(false, MetaSchemas.DELETE_OPTIONS)
                .answering(MetaSchemas.STATUS, 200);
    }
}
