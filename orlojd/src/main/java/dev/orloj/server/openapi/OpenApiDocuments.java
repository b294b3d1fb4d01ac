package dev.orloj.server.openapi;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Generates OpenAPI documents from the schemas of the kinds, with the extensions that clients
 * require.
 */
public final class OpenApiDocuments {

    static final String GROUP_VERSION_KIND = "x-kubernetes-group-version-kind";
    static final String V3_REFERENCE = "#/components/schemas/";
    private static final String V2_REFERENCE = "#/definitions/";

    private final Scheme scheme;

    public OpenApiDocuments(Scheme scheme) {
        this.scheme = scheme;
    }

    /** Returns paths such as {@code api/v1} and {@code apis/orloj.dev/v1}. */
    public List<String> groupVersions() {
        return scheme.descriptors().stream().map(d -> path(d.kind())).distinct().toList();
    }

    static String path(Kind<?> kind) {
        return (kind.group().isEmpty() ? "api/" : "apis/") + kind.apiVersion();
    }

    /** Returns the OpenAPI 3 document of one group and version. */
    public ObjectNode v3(String groupVersion) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("openapi", "3.0.0");
        addInfo(document);
        ObjectNode paths = document.putObject("paths");
        ObjectNode schemas = document.withObject("/components/schemas");
        for (KindDescriptor<?> descriptor : scheme.descriptors()) {
            if (path(descriptor.kind()).equals(groupVersion)) {
                addTo(schemas, descriptor);
                OpenApiPaths.add(paths, descriptor);
            }
        }
        MetaSchemas.addTo(schemas);
        schemas.set(MetaSchemas.OBJECT_META, objectMeta());
        return document;
    }

    private static void addTo(ObjectNode schemas, KindDescriptor<?> descriptor) {
        String name = schemaName(descriptor.kind());
        schemas.set(name, v3Schema(descriptor));
        MetaSchemas.addListTo(schemas, name, descriptor.kind());
        if (descriptor.scale().isPresent()) {
            MetaSchemas.addScaleTo(schemas);
        }
    }

    /** Returns the Swagger 2.0 document of all kinds, without operations. */
    public ObjectNode v2() {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("swagger", "2.0");
        addInfo(document);
        document.putObject("paths");
        ObjectNode definitions = document.putObject("definitions");
        for (KindDescriptor<?> descriptor : scheme.descriptors()) {
            definitions.set(schemaName(descriptor.kind()), v2Schema(descriptor));
        }
        definitions.set(MetaSchemas.OBJECT_META, objectMeta());
        return document;
    }

    private static void addInfo(ObjectNode document) {
        document.putObject("info").put("title", "Orloj").put("version", "v1");
    }

    static String schemaName(Kind<?> kind) {
        if (kind.group().isEmpty()) {
            return "io.k8s.api.core.%s.%s".formatted(kind.version(), kind.name());
        }
        List<String> labels = new ArrayList<>(Arrays.asList(kind.group().split("\\.", -1)));
        return String.join(".", labels.reversed())
                + ".%s.%s".formatted(kind.version(), kind.name());
    }

    /** Wraps the reference, because OpenAPI 3 ignores siblings of a bare reference. */
    private static ObjectNode v3Schema(KindDescriptor<?> descriptor) {
        ObjectNode metadata = metadata();
        metadata.putObject("default");
        metadata.putArray("allOf").addObject().put("$ref", V3_REFERENCE + MetaSchemas.OBJECT_META);
        return schema(descriptor, metadata);
    }

    /** Uses a bare reference, because Swagger readers do not support combinations. */
    private static ObjectNode v2Schema(KindDescriptor<?> descriptor) {
        return schema(descriptor, metadata().put("$ref", V2_REFERENCE + MetaSchemas.OBJECT_META));
    }

    private static ObjectNode metadata() {
        return Json.MAPPER
                .createObjectNode()
                .put("description", "What every resource carries about itself.");
    }

    private static ObjectNode schema(KindDescriptor<?> descriptor, ObjectNode metadata) {
        ObjectNode schema = descriptor.schema().root().deepCopy();
        schema.withObject("/properties").set("metadata", metadata);
        OpenApiOperation.addKind(
                schema.putArray(GROUP_VERSION_KIND).addObject(), descriptor.kind());
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
}
