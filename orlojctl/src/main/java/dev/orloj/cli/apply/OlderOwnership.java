package dev.orloj.cli.apply;

import dev.orloj.api.v1.McpServer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/**
 * Upgrades the field ownership of orlojctl versions that merged on the client: their writes made
 * them a manager that updates. As {@code kubectl} does with its own entries, this turns them into
 * entries of the manager that applies, so that a field that is removed from the manifest is removed
 * from the resource.
 */
final class OlderOwnership {

    private static final String METADATA = "f:metadata";
    private static final String ANNOTATIONS = "f:annotations";
    private static final String SELF = ".";

    /** The annotation of {@code orlojctl restart}, which no manifest may remove. */
    private static final String RESTARTED_AT = "f:" + McpServer.RESTARTED_AT;

    private OlderOwnership() {}

    static boolean isIn(ObjectNode document) {
        return upgraded(document).isPresent();
    }

    /**
     * Returns the managed fields with older entries turned into applied ones; empty without older
     * entries.
     */
    static Optional<ArrayNode> upgraded(ObjectNode document) {
        if (!(document.at("/metadata/managedFields") instanceof ArrayNode entries)) {
            return Optional.empty();
        }
        ArrayNode result = entries.arrayNode();
        boolean isChanged = false;
        for (JsonNode entry : entries) {
            if (isOlder(entry) && hasMoreThanRestart(entry)) {
                isChanged = true;
                addUpgraded((ObjectNode) entry, result);
            } else if (isApplied(entry)) {
                merge((ObjectNode) entry.deepCopy(), result);
            } else {
                result.add(entry.deepCopy());
            }
        }
        return isChanged ? Optional.of(result) : Optional.empty();
    }

    private static void addUpgraded(ObjectNode older, ArrayNode result) {
        ObjectNode applied = older.deepCopy().put("operation", "Apply");
        Optional<ObjectNode> restart = takeRestart(applied);
        merge(applied, result);
        restart.ifPresent(
                annotations -> {
                    ObjectNode rest = older.deepCopy();
                    rest.putObject("fieldsV1").putObject(METADATA).set(ANNOTATIONS, annotations);
                    result.add(rest);
                });
    }

    /** Merges into the applied entry with the same API version, or adds an entry. */
    private static void merge(ObjectNode applied, ArrayNode result) {
        for (JsonNode other : result) {
            if (isApplied(other) && other.path("apiVersion").equals(applied.path("apiVersion"))) {
                union((ObjectNode) other.path("fieldsV1"), applied.path("fieldsV1"));
                return;
            }
        }
        result.add(applied);
    }

    private static void union(ObjectNode fields, JsonNode more) {
        more.properties()
                .forEach(
                        field -> {
                            if (fields.get(field.getKey()) instanceof ObjectNode known) {
                                // One is a leaf and the other a path through it: keeps the leaf as
                                // SELF.
                                if (known.isEmpty() != field.getValue().isEmpty()) {
                                    known.putObject(SELF);
                                }
                                union(known, field.getValue());
                            } else {
                                fields.set(field.getKey(), field.getValue());
                            }
                        });
    }

    /** Removes the annotation of a restart, and the map of annotations if it came with it. */
    private static Optional<ObjectNode> takeRestart(ObjectNode entry) {
        if (!(entry.path("fieldsV1") instanceof ObjectNode fields)
                || !(fields.path(METADATA) instanceof ObjectNode metadata)
                || !(metadata.path(ANNOTATIONS) instanceof ObjectNode annotations)
                || !annotations.has(RESTARTED_AT)) {
            return Optional.empty();
        }
        ObjectNode taken = annotations.objectNode();
        taken.set(RESTARTED_AT, annotations.remove(RESTARTED_AT));
        if (hasNoFields(annotations)) {
            taken.putObject(SELF);
            metadata.remove(ANNOTATIONS);
        }
        if (hasNoFields(metadata)) {
            fields.remove(METADATA);
        }
        return Optional.of(taken);
    }

    private static boolean hasNoFields(ObjectNode map) {
        return map.size() == (map.has(SELF) ? 1 : 0);
    }

    private static boolean hasMoreThanRestart(JsonNode entry) {
        ObjectNode rest = (ObjectNode) entry.deepCopy();
        takeRestart(rest);
        return !rest.path("fieldsV1").isEmpty();
    }

    private static boolean isOlder(JsonNode entry) {
        return isOwn(entry, "Update");
    }

    private static boolean isApplied(JsonNode entry) {
        return isOwn(entry, "Apply");
    }

    private static boolean isOwn(JsonNode entry, String operation) {
        return entry.path("manager").asString("").equals(ApplyOptions.FIELD_MANAGER)
                && entry.path("operation").asString("").equals(operation)
                && entry.path("subresource").asString("").isEmpty()
                && entry.path("fieldsV1").isObject();
    }
}
