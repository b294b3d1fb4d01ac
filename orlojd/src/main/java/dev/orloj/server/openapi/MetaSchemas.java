package dev.orloj.server.openapi;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ObjectNode;

/** Provides schemas of objects that are not kinds: lists, patches, delete options, scales. */
final class MetaSchemas {

    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    static final String OBJECT_META = META + "ObjectMeta";
    static final String PATCH = META + "Patch";
    static final String JSON_PATCH = META + "JSONPatch";
    static final String DELETE_OPTIONS = META + "DeleteOptions";
    static final String STATUS = META + "Status";
    static final String SCALE = "io.k8s.api.autoscaling.v1.Scale";
    private static final String LIST_META = META + "ListMeta";

    private MetaSchemas() {}

    static void addTo(ObjectNode schemas) {
        read(
                schemas,
                LIST_META,
                """
                {"description": "Which state a list shows, and what follows it.",
                 "type": "object", "properties": {
                  "continue": {"type": "string"},
                  "remainingItemCount": {"type": "integer", "format": "int64"},
                  "resourceVersion": {"type": "string"}}}\
                """);
        read(
                schemas,
                PATCH,
                """
                {"description": "What is to become different of a resource.", "type": "object"}\
                """);
        read(
                schemas,
                JSON_PATCH,
                """
                {"description": "Operations on a resource, in their order (RFC 6902).",
                 "type": "array", "items": {"type": "object", "required": ["op", "path"],
                  "properties": {
                   "op": {"type": "string",
                    "enum": ["add", "remove", "replace", "move", "copy", "test"]},
                   "path": {"type": "string"}, "from": {"type": "string"}, "value": {}}}}\
                """);
        read(
                schemas,
                DELETE_OPTIONS,
                """
                {"description": "How to delete.", "type": "object", "properties": {
                  "apiVersion": {"type": "string"}, "kind": {"type": "string"},
                  "dryRun": {"type": "array", "items": {"type": "string", "enum": ["All"]}},
                  "gracePeriodSeconds": {"type": "integer", "format": "int64"},
                  "orphanDependents": {"type": "boolean"},
                  "preconditions": {"type": "object", "properties": {
                   "resourceVersion": {"type": "string"}, "uid": {"type": "string"}}},
                  "propagationPolicy": {"type": "string",
                   "enum": ["Orphan", "Background", "Foreground"]}}}\
                """);
        read(
                schemas,
                STATUS,
                """
                {"description": "How a request ended.", "type": "object", "properties": {
                  "apiVersion": {"type": "string"}, "kind": {"type": "string"},
                  "metadata": {"type": "object"}, "status": {"type": "string"},
                  "message": {"type": "string"}, "reason": {"type": "string"},
                  "details": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
                  "code": {"type": "integer", "format": "int32"}}}\
                """);
    }

    static void addScaleTo(ObjectNode schemas) {
        read(
                schemas,
                SCALE,
                """
                {"description": "How many replicas there are and should be.", "type": "object",
                 "properties": {
                  "apiVersion": {"type": "string"}, "kind": {"type": "string"},
                  "metadata": {"$ref": "%s"},
                  "spec": {"type": "object", "properties": {
                   "replicas": {"type": "integer", "format": "int32", "minimum": 0}}},
                  "status": {"type": "object", "required": ["replicas"], "properties": {
                   "replicas": {"type": "integer", "format": "int32"},
                   "selector": {"type": "string"}}}},
                 "x-kubernetes-group-version-kind": [
                  {"group": "autoscaling", "version": "v1", "kind": "Scale"}]}\
                """
                        .formatted(OpenApiDocuments.V3_REFERENCE + OBJECT_META));
    }

    static void addListTo(ObjectNode schemas, String item, Kind<?> kind) {
        read(
                schemas,
                list(item),
                """
                {"description": "Resources of one kind.", "type": "object",
                 "required": ["items"], "properties": {
                  "apiVersion": {"type": "string"}, "kind": {"type": "string"},
                  "metadata": {"$ref": "%s"},
                  "items": {"type": "array", "items": {"$ref": "%s"}}},
                 "x-kubernetes-group-version-kind": [
                  {"group": "%s", "version": "%s", "kind": "%sList"}]}\
                """
                        .formatted(
                                OpenApiDocuments.V3_REFERENCE + LIST_META,
                                OpenApiDocuments.V3_REFERENCE + item,
                                kind.group(),
                                kind.version(),
                                kind.name()));
    }

    /** Returns the name of the schema of a list. */
    static String list(String item) {
        return item + "List";
    }

    private static void read(ObjectNode schemas, String name, String text) {
        schemas.set(name, Json.MAPPER.readTree(text));
    }
}
