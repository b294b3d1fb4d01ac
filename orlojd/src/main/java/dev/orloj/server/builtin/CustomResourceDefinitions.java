package dev.orloj.server.builtin;

import dev.orloj.api.Kind;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scale;
import dev.orloj.api.codec.Scheme;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * Generates custom resource definitions of the kinds, for clients that look them up before they use
 * a kind. They are the same on every replica and after every start.
 */
final class CustomResourceDefinitions {

    /**
     * The creation time of all definitions. They have none, but clients sort by it and print it.
     */
    private static final String SINCE = "2026-01-01T00:00:00Z";

    private CustomResourceDefinitions() {}

    /** Returns the definitions of all kinds that are not part of Kubernetes, by name. */
    static List<ObjectNode> of(Scheme scheme) {
        return scheme.descriptors().stream()
                .filter(descriptor -> descriptor.kind().isCustom())
                .map(CustomResourceDefinitions::definition)
                .sorted(Comparator.comparing(crd -> crd.at("/metadata/name").asString()))
                .toList();
    }

    private static ObjectNode definition(KindDescriptor<?> descriptor) {
        Kind<?> kind = descriptor.kind();
        ObjectNode definition = Json.MAPPER.createObjectNode();
        definition.put("apiVersion", CustomResourceDefinition.KIND.apiVersion());
        definition.put("kind", CustomResourceDefinition.KIND.name());
        byte[] seed = ("crd:" + kind.groupResource()).getBytes(StandardCharsets.UTF_8);
        definition
                .putObject("metadata")
                .put("name", kind.groupResource())
                .put("uid", UUID.nameUUIDFromBytes(seed).toString())
                .put("resourceVersion", BuiltinResources.VERSION.toString())
                .put("generation", 1)
                .put("creationTimestamp", SINCE);
        ObjectNode spec = definition.putObject("spec");
        spec.put("group", kind.group());
        spec.set("names", names(descriptor));
        spec.put("scope", kind.namespaced() ? "Namespaced" : "Cluster");
        spec.putArray("versions").add(version(descriptor));
        spec.putObject("conversion").put("strategy", "None");
        ObjectNode status = definition.putObject("status");
        ArrayNode conditions = status.putArray("conditions");
        addCondition(conditions, "NamesAccepted", "NoConflicts", "no conflicts found");
        addCondition(
                conditions, "Established", "InitialNamesAccepted", "the kind is served by orlojd");
        status.set("acceptedNames", names(descriptor));
        status.putArray("storedVersions").add(kind.version());
        return definition;
    }

    private static ObjectNode names(KindDescriptor<?> descriptor) {
        Kind<?> kind = descriptor.kind();
        ObjectNode names = Json.MAPPER.createObjectNode();
        names.put("plural", kind.plural());
        names.put("singular", kind.singular());
        names.put("kind", kind.name());
        names.put("listKind", kind.name() + "List");
        descriptor.shortNames().forEach(name -> names.withArray("shortNames").add(name));
        descriptor.categories().forEach(name -> names.withArray("categories").add(name));
        return names;
    }

    private static ObjectNode version(KindDescriptor<?> descriptor) {
        ObjectNode version = Json.MAPPER.createObjectNode();
        version.put("name", descriptor.kind().version());
        version.put("served", true).put("storage", true);
        ObjectNode schema = descriptor.schema().root().deepCopy();
        schema.withObject("/properties").putObject("metadata").put("type", "object");
        removeOwnKeywords(schema);
        version.putObject("schema").set("openAPIV3Schema", schema);
        if (descriptor.hasStatus()) {
            version.withObject("/subresources").putObject("status");
        }
        descriptor.scale().ifPresent(scale -> addScale(version, scale));
        ArrayNode columns = version.putArray("additionalPrinterColumns");
        descriptor.columns().forEach(column -> addColumn(columns, column));
        columns.addObject()
                .put("name", "Age")
                .put("type", "date")
                .put("jsonPath", ".metadata.creationTimestamp");
        return version;
    }

    /**
     * Removes keywords that Kubernetes does not define, because typed clients reject such a schema.
     */
    private static void removeOwnKeywords(JsonNode schema) {
        if (schema instanceof ObjectNode object) {
            object.propertyNames().removeIf(name -> name.startsWith("x-orloj-"));
        }
        schema.forEach(CustomResourceDefinitions::removeOwnKeywords);
    }

    private static void addScale(ObjectNode version, Scale scale) {
        version.withObject("/subresources/scale")
                .put("specReplicasPath", scale.specReplicas().replace('/', '.'))
                .put("statusReplicasPath", ".status.replicas");
    }

    /** Adds the column if it has a JSON path, to its value or the nearest field. */
    private static void addColumn(ArrayNode columns, Column column) {
        column.jsonPath()
                .ifPresent(
                        path -> {
                            ObjectNode printed = columns.addObject();
                            // The path leads to the counted items, not to their number.
                            String type = column.nearest().isPresent() ? "string" : column.type();
                            printed.put("name", column.name()).put("type", type);
                            printed.put("description", column.description());
                            if (column.wide()) {
                                printed.put("priority", 1);
                            }
                            printed.put("jsonPath", path);
                        });
    }

    private static void addCondition(
            ArrayNode conditions, String type, String reason, String message) {
        conditions
                .addObject()
                .put("type", type)
                .put("status", "True")
                .put("lastTransitionTime", SINCE)
                .put("reason", reason)
                .put("message", message);
    }
}
