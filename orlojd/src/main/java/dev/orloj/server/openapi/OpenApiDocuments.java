package dev.orloj.server.openapi;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes the schemas of the kinds down as OpenAPI, with the extensions that clients look for. */
public final class OpenApiDocuments {

    static final String GROUP_VERSION_KIND = "x-kubernetes-group-version-kind";
    static final String V3_REFERENCE = "#/components/schemas/";
    private static final String V2_REFERENCE = "#/definitions/";

    private final Scheme scheme;

    public OpenApiDocuments(Scheme scheme) {
        this.scheme = scheme;
    }

    /** Paths such as {@code api/v1} and {@code apis/orloj.dev/v1}. */
    public List<String> groupVersions() {
        return scheme.descriptors().stream().map(d -> path(d.kind())).distinct().toList();
    }

    static String path(Kind<?> kind) {
        return (kind.group().isEmpty() ? "api/" : "apis/") + kind.apiVersion();
    }

    /** OpenAPI 3 of one group and version. */
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

    /** Swagger 2.0 of everything, without operations. */
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

    /** In OpenAPI 3 what stands beside a reference counts only when this is one of several. */
    private static ObjectNode v3Schema(KindDescriptor<?> descriptor) {
        ObjectNode metadata = metadata();
        metadata.putObject("default");
        metadata.putArray("allOf").addObject().put("$ref", V3_REFERENCE + MetaSchemas.OBJECT_META);
        return schema(descriptor, metadata);
    }

    /** The readers of swagger know references, and nothing of combinations. */
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
