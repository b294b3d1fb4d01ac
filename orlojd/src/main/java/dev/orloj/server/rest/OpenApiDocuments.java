package dev.orloj.server.rest;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes the schemas of the kinds down as OpenAPI, with the extensions that clients look for. */
final class OpenApiDocuments {

    private static final String OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
    private static final String GROUP_VERSION_KIND = "x-kubernetes-group-version-kind";
    private static final String V3_REFERENCE = "#/components/schemas/";
    private static final String V2_REFERENCE = "#/definitions/";

    private final Scheme scheme;

    OpenApiDocuments(Scheme scheme) {
        this.scheme = scheme;
    }

    /** Paths such as {@code api/v1} and {@code apis/orloj.dev/v1}. */
    List<String> groupVersions() {
        return scheme.descriptors().stream().map(d -> path(d.kind())).distinct().toList();
    }

    private static String path(Kind<?> kind) {
        return (kind.group().isEmpty() ? "api/" : "apis/") + kind.apiVersion();
    }

    /** OpenAPI 3 of one group and version. */
    ObjectNode v3(String groupVersion) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("openapi", "3.0.0");
        addInfo(document);
        ObjectNode paths = document.putObject("paths");
        ObjectNode schemas = document.withObject("/components/schemas");
        for (KindDescriptor<?> descriptor : scheme.descriptors()) {
            if (path(descriptor.kind()).equals(groupVersion)) {
                schemas.set(schemaName(descriptor.kind()), schema(descriptor, V3_REFERENCE));
                addPaths(paths, descriptor);
            }
        }
        schemas.set(OBJECT_META, objectMeta());
        return document;
    }

    /** Swagger 2.0 of everything, without operations. */
    ObjectNode v2() {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("swagger", "2.0");
        addInfo(document);
        document.putObject("paths");
        ObjectNode definitions = document.putObject("definitions");
        for (KindDescriptor<?> descriptor : scheme.descriptors()) {
            definitions.set(schemaName(descriptor.kind()), schema(descriptor, V2_REFERENCE));
        }
        definitions.set(OBJECT_META, objectMeta());
        return document;
    }

    private static void addInfo(ObjectNode document) {
        document.putObject("info").put("title", "Orloj").put("version", "v1");
    }

    private static String schemaName(Kind<?> kind) {
        if (kind.group().isEmpty()) {
            return "io.k8s.api.core.%s.%s".formatted(kind.version(), kind.name());
        }
        List<String> labels = new ArrayList<>(Arrays.asList(kind.group().split("\\.", -1)));
        return String.join(".", labels.reversed())
                + ".%s.%s".formatted(kind.version(), kind.name());
    }

    private static ObjectNode schema(KindDescriptor<?> descriptor, String reference) {
        ObjectNode schema = descriptor.schema().root().deepCopy();
        ObjectNode metadata = Json.MAPPER.createObjectNode();
        metadata.put("description", "What every resource carries about itself.");
        metadata.putObject("default");
        metadata.putArray("allOf").addObject().put("$ref", reference + OBJECT_META);
        schema.withObject("/properties").set("metadata", metadata);
        addKind(schema.putArray(GROUP_VERSION_KIND).addObject(), descriptor.kind());
        return schema;
    }

    private ObjectNode objectMeta() {
        return (ObjectNode)
                scheme.descriptors()
                        .getFirst()
                        .schema()
                        .root()
                        .at("/properties/metadata")
                        .deepCopy();
    }

    private static void addKind(ObjectNode target, Kind<?> kind) {
        target.put("group", kind.group()).put("version", kind.version()).put("kind", kind.name());
    }

    private static void addPaths(ObjectNode paths, KindDescriptor<?> descriptor) {
        Kind<?> kind = descriptor.kind();
        String root = "/" + path(kind);
        String collection =
                (kind.namespaced() ? root + "/namespaces/{namespace}/" : root + "/")
                        + kind.plural();
        ObjectNode all = paths.putObject(collection);
        addOperation(all, "get", "list", kind);
        addWrite(all, "post", "post", kind);
        addOperation(all, "delete", "deletecollection", kind);
        addItem(paths.putObject(collection + "/{name}"), kind)
                .set("delete", operation("delete", kind));
        if (descriptor.hasStatus()) {
            addItem(paths.putObject(collection + "/{name}/status"), kind);
        }
    }

    private static ObjectNode addItem(ObjectNode item, Kind<?> kind) {
        addOperation(item, "get", "get", kind);
        addWrite(item, "put", "put", kind);
        addWrite(item, "patch", "patch", kind);
        addParameter((ArrayNode) item.path("patch").path("parameters"), "force", "boolean");
        return item;
    }

    private static void addOperation(ObjectNode path, String method, String action, Kind<?> kind) {
        path.set(method, operation(action, kind));
    }

    private static void addWrite(ObjectNode path, String method, String action, Kind<?> kind) {
        ObjectNode operation = operation(action, kind);
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
        addKind(operation.putObject(GROUP_VERSION_KIND), kind);
        operation.withObject("/responses/200").put("description", "OK");
        return operation;
    }

    private static void addParameter(ArrayNode parameters, String name, String type) {
        ObjectNode parameter = parameters.addObject();
        parameter.put("name", name).put("in", "query");
        parameter.putObject("schema").put("type", type).put("uniqueItems", true);
    }
}
