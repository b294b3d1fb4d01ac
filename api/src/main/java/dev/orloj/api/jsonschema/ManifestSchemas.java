package dev.orloj.api.jsonschema;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.TreeMap;

/**
 * JSON Schemas of manifests in draft 7, which every editor knows: yaml-language-server reads newer
 * drafts only since 2025.
 */
public final class ManifestSchemas {

    private static final String DRAFT = "http://json-schema.org/draft-07/schema#";

    private static final String METADATA = "#/definitions/metadata";

    /** The file with the schema of any manifest. */
    public static final String ANY = "manifest.json";

    private ManifestSchemas() {}

    /** Returns the schema of the manifests of one kind. */
    public static ObjectNode of(KindDescriptor<?> descriptor) {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("$schema", DRAFT);
        schema.put("title", title(descriptor.kind()));
        schema.setAll(body(descriptor));
        return schema;
    }

    /** Returns the schema of a manifest of any kind, which its apiVersion and kind decide. */
    public static ObjectNode any(Scheme scheme) {
        ObjectNode schema =
                Json.MAPPER
                        .createObjectNode()
                        .put("$schema", DRAFT)
                        .put("title", "A manifest of Orloj")
                        .put("type", "object");
        schema.putArray("required").add("apiVersion").add("kind").add("metadata");
        ObjectNode properties = schema.putObject("properties");
        ArrayNode versions = described(properties, scheme, "apiVersion").putArray("enum");
        ArrayNode names = described(properties, scheme, "kind").putArray("enum");
        properties.putObject("metadata").put("$ref", METADATA);
        scheme.descriptors().stream()
                .map(d -> d.kind().apiVersion())
                .distinct()
                .forEach(versions::add);
        scheme.descriptors().stream().map(d -> d.kind().name()).distinct().forEach(names::add);
        ArrayNode choices = schema.putArray("allOf");
        ObjectNode definitions = schema.putObject("definitions");
        definitions.set(
                "metadata", body(scheme.descriptors().getFirst()).at("/properties/metadata"));
        for (KindDescriptor<?> descriptor : scheme.descriptors()) {
            String name = nameOf(descriptor);
            ObjectNode choice = choices.addObject();
            ObjectNode condition = choice.putObject("if");
            ObjectNode expected = condition.putObject("properties");
            expected.putObject("apiVersion").put("const", descriptor.kind().apiVersion());
            expected.putObject("kind").put("const", descriptor.kind().name());
            condition.putArray("required").add("apiVersion").add("kind");
            choice.putObject("then").put("$ref", "#/definitions/" + name);
            ObjectNode body = body(descriptor);
            body.withObject("/properties").putObject("metadata").put("$ref", METADATA);
            definitions.set(name, body);
        }
        return schema;
    }

    /** Returns all schemas by the names of their files: one of each kind, and {@link #ANY}. */
    public static Map<String, ObjectNode> files(Scheme scheme) {
        Map<String, ObjectNode> files = new TreeMap<>();
        scheme.descriptors().forEach(d -> files.put(nameOf(d) + ".json", of(d)));
        files.put(ANY, any(scheme));
        return files;
    }

    /** Returns the text of a file. */
    public static String text(ObjectNode schema) {
        return schema.toPrettyString() + "\n";
    }

    private static ObjectNode body(KindDescriptor<?> descriptor) {
        ObjectNode body = new StructuralSchema(descriptor.schema().root()).toJsonSchema();
        ArrayNode required = Json.MAPPER.createArrayNode();
        required.add("apiVersion").add("kind").add("metadata");
        required.addAll(body.withArray("/required"));
        body.set("required", required);
        ObjectNode properties = body.withObject("/properties");
        properties.withObject("/apiVersion").put("const", descriptor.kind().apiVersion());
        properties.withObject("/kind").put("const", descriptor.kind().name());
        ArrayNode names = properties.withObject("/metadata").putArray("anyOf");
        names.addObject().putArray("required").add("name");
        names.addObject().putArray("required").add("generateName");
        return body;
    }

    private static ObjectNode described(ObjectNode properties, Scheme scheme, String field) {
        return properties.putObject(field).setAll(common(scheme, field));
    }

    /** Returns the schema of a field that every kind has. */
    private static ObjectNode common(Scheme scheme, String field) {
        return scheme.descriptors()
                .getFirst()
                .schema()
                .root()
                .withObject("/properties")
                .withObject("/" + field);
    }

    private static String title(Kind<?> kind) {
        return "%s of %s".formatted(kind.name(), kind.apiVersion());
    }

    /** Returns a name that no other kind has: a view of another kind adds its group. */
    private static String nameOf(KindDescriptor<?> descriptor) {
        Kind<?> kind = descriptor.kind();
        return descriptor.view().isEmpty()
                ? kind.singular()
                : "%s-%s"
                        .formatted(kind.singular(), kind.group().isEmpty() ? "core" : kind.group());
    }
}
