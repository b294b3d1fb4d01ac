package dev.orloj.api.approval;

import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.DefinitionDigests;
import dev.orloj.api.ledger.SchemaChange;
import dev.orloj.api.ledger.SchemaComparison;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The classes of differences between two definitions, and between what runs behind them. */
public enum DefinitionChange {
    /** Titles, descriptions, defaults, examples, and the values of {@code enum}. */
    TEXT,
    /** The schemas, in a way that each call that was right still is. */
    COMPATIBLE,
    /** The schemas, in any other way, or fields that belong to no other class. */
    BREAKING,
    ANNOTATIONS,
    /** {@code icons} and {@code _meta}. */
    PRESENTATION,
    /** What runs behind the definitions. */
    RUNS;

    /** Returns what differs; empty if nothing does. */
    public static Set<DefinitionChange> between(ObjectNode before, ObjectNode after) {
        DefinitionDigests old = DefinitionDigests.of(before);
        DefinitionDigests now = DefinitionDigests.of(after);
        Set<DefinitionChange> changes = EnumSet.noneOf(DefinitionChange.class);
        if (old.whole().equals(now.whole())) {
            return changes;
        }
        if (!old.text().equals(now.text())) {
            changes.add(TEXT);
        }
        if (!old.schema().equals(now.schema())) {
            changes.add(isCompatible(before, after) ? COMPATIBLE : BREAKING);
        }
        if (!old.annotations().equals(now.annotations())) {
            changes.add(ANNOTATIONS);
        }
        if (!old.presentation().equals(now.presentation())) {
            changes.add(PRESENTATION);
        }
        return changes;
    }

    /** A difference that the comparison of the schemas does not explain is not compatible. */
    private static boolean isCompatible(ObjectNode before, ObjectNode after) {
        List<SchemaChange> changes = new ArrayList<>();
        changes.addAll(
                SchemaComparison.ofInputs(before.path("inputSchema"), after.path("inputSchema")));
        changes.addAll(
                SchemaComparison.ofOutputs(
                        before.path("outputSchema"), after.path("outputSchema")));
        return changes.stream().allMatch(c -> c.level() == SchemaChange.Level.COMPATIBLE)
                && withoutSchemas(before).equals(withoutSchemas(after));
    }

    /** Returns the digest of the fields that are neither schemas nor of another class. */
    private static String withoutSchemas(ObjectNode definition) {
        ObjectNode rest = Json.MAPPER.createObjectNode();
        for (var field : definition.properties()) {
            JsonNode value = field.getValue();
            switch (field.getKey()) {
                case "title", "description", "annotations", "icons", "_meta" -> {}
                case "inputSchema", "outputSchema" -> {}
                default -> rest.set(field.getKey(), value);
            }
        }
        return CanonicalJson.digest(rest);
    }

    /** Returns the name of the class in manifests. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
