package dev.orloj.api.ledger;

import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.SchemaChange.Level;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares the schemas of a tool without their texts. What callers send may become more, and what
 * they get may become less. What cannot be decided is breaking.
 */
public final class SchemaComparison {

    private static final Set<String> TEXTS =
            Set.of("title", "description", "$comment", "default", "examples");

    private static final Set<String> LOWER =
            Set.of("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties");
    private static final Set<String> UPPER =
            Set.of("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties");

    /** Keywords whose presence only excludes values. */
    private static final Set<String> RULES =
            Set.of("pattern", "format", "multipleOf", "uniqueItems", "propertyNames", "not");

    private final boolean input;
    private final List<SchemaChange> changes = new ArrayList<>();

    private SchemaComparison(boolean input) {
        this.input = input;
    }

    /** Returns the differences between two input schemas. Absent schemas are missing nodes. */
    public static List<SchemaChange> ofInputs(JsonNode before, JsonNode after) {
        return of(new SchemaComparison(true), "/inputSchema", before, after);
    }

    /** Returns the differences between two output schemas. Absent schemas are missing nodes. */
    public static List<SchemaChange> ofOutputs(JsonNode before, JsonNode after) {
        return of(new SchemaComparison(false), "/outputSchema", before, after);
    }

    private static List<SchemaChange> of(
            SchemaComparison comparison, String pointer, JsonNode before, JsonNode after) {
        comparison.compare(pointer, before, after);
        return List.copyOf(comparison.changes);
    }

    private void compare(String pointer, JsonNode before, JsonNode after) {
        if (before.equals(after)) {
            return;
        }
        if (isOpen(before) && isOpen(after)) {
            return;
        }
        if (before.isMissingNode() || after.isMissingNode()) {
            boolean added = before.isMissingNode();
            effect(!added, pointer, added ? "a schema was added" : "the schema was removed");
            return;
        }
        if (!before.isObject() || !after.isObject()) {
            add(Level.BREAKING, pointer, "unknown: the schema is another kind of value");
            return;
        }
        Set<String> keywords = new TreeSet<>(before.propertyNames());
        keywords.addAll(after.propertyNames());
        for (String keyword : keywords) {
            JsonNode old = before.path(keyword);
            JsonNode now = after.path(keyword);
            if (!TEXTS.contains(keyword) && !old.equals(now)) {
                compareKeyword(pointer + "/" + keyword, keyword, before, after);
            }
        }
    }

    private static boolean isOpen(JsonNode schema) {
        return schema.isMissingNode()
                || (schema.isBoolean() && schema.booleanValue())
                || (schema.isObject() && schema.isEmpty());
    }

    private void compareKeyword(String place, String keyword, JsonNode before, JsonNode after) {
        JsonNode old = before.path(keyword);
        JsonNode now = after.path(keyword);
        if (LOWER.contains(keyword) || UPPER.contains(keyword)) {
            compareBounds(place, LOWER.contains(keyword), old, now);
            return;
        }
        if (RULES.contains(keyword)) {
            if (old.isMissingNode() || now.isMissingNode()) {
                effect(now.isMissingNode(), place, was(old, now));
            } else {
                add(Level.BREAKING, place, "unknown: " + was(old, now));
            }
            return;
        }
        switch (keyword) {
            case "type" -> compareSets(place, types(old), types(now));
            case "enum" -> compareSets(place, values(old), values(now));
            case "required" -> compareRequired(place, values(old), values(now));
            case "properties" -> compareProperties(place, before, after);
            case "additionalProperties" -> compareAdditional(place, old, now);
            case "items" -> compare(place, old, now);
            default -> add(Level.BREAKING, place, "unknown: " + was(old, now));
        }
    }

    private void compareBounds(String place, boolean lower, JsonNode old, JsonNode now) {
        if (old.isMissingNode() || now.isMissingNode()) {
            effect(now.isMissingNode(), place, was(old, now));
        } else if (old.isNumber() && now.isNumber()) {
            BigDecimal difference = now.decimalValue().subtract(old.decimalValue());
            if (difference.signum() != 0) {
                effect((difference.signum() < 0) == lower, place, was(old, now));
            }
        } else {
            add(Level.BREAKING, place, "unknown: " + was(old, now));
        }
    }

    /** Sets of allowed values; empty ones allow everything. */
    private void compareSets(String place, Set<String> old, Set<String> now) {
        Set<String> removed = new LinkedHashSet<>(old);
        removed.removeAll(now);
        Set<String> added = new LinkedHashSet<>(now);
        added.removeAll(old);
        if (old.isEmpty() || now.isEmpty()) {
            effect(now.isEmpty(), place, now.isEmpty() ? "any value" : "only " + join(now));
            return;
        }
        if (!removed.isEmpty()) {
            effect(false, place, "no longer " + join(removed));
        }
        if (!added.isEmpty()) {
            effect(true, place, "also " + join(added));
        }
    }

    private void compareRequired(String place, Set<String> old, Set<String> now) {
        Set<String> added = new LinkedHashSet<>(now);
        added.removeAll(old);
        Set<String> removed = new LinkedHashSet<>(old);
        removed.removeAll(now);
        if (!added.isEmpty()) {
            effect(false, place, "now required: " + join(added));
        }
        if (!removed.isEmpty()) {
            effect(true, place, "no longer required: " + join(removed));
        }
    }

    private void compareProperties(String place, JsonNode before, JsonNode after) {
        JsonNode old = before.path("properties");
        JsonNode now = after.path("properties");
        Set<String> names = new TreeSet<>(old.propertyNames());
        names.addAll(now.propertyNames());
        for (String name : names) {
            String property = place + "/" + name.replace("~", "~0").replace("/", "~1");
            if (!old.has(name)) {
                boolean known = input || !isClosed(before);
                add(known ? Level.COMPATIBLE : Level.BREAKING, property, "a new property");
            } else if (!now.has(name)) {
                boolean refused = !input || isClosed(after);
                add(refused ? Level.BREAKING : Level.NARROWING, property, "no longer a property");
            } else {
                compare(property, old.path(name), now.path(name));
            }
        }
    }

    private static boolean isClosed(JsonNode schema) {
        JsonNode additional = schema.path("additionalProperties");
        return additional.isBoolean() && !additional.booleanValue();
    }

    private void compareAdditional(String place, JsonNode old, JsonNode now) {
        if (isOpen(old) && now.isBoolean()) {
            if (!now.booleanValue()) {
                add(
                        input ? Level.NARROWING : Level.COMPATIBLE,
                        place,
                        "no other properties any more");
            }
        } else if (isOpen(now) && old.isBoolean()) {
            effect(true, place, "other properties, too");
        } else if (old.isObject() && now.isObject()) {
            compare(place, old, now);
        } else {
            add(Level.BREAKING, place, "unknown: " + was(old, now));
        }
    }

    /**
     * @param wider whether more values are allowed, not fewer
     */
    private void effect(boolean wider, String place, String message) {
        add(wider == input ? Level.COMPATIBLE : Level.BREAKING, place, message);
    }

    private void add(Level level, String place, String message) {
        changes.add(new SchemaChange(level, place, message));
    }

    private static Set<String> types(JsonNode type) {
        Set<String> types = new TreeSet<>();
        (type.isArray() ? type : Json.MAPPER.createArrayNode().add(type))
                .forEach(name -> types.add(name.asString("")));
        types.remove("");
        if (types.contains("number")) {
            types.add("integer");
        }
        return types;
    }

    private static Set<String> values(JsonNode list) {
        Set<String> values = new TreeSet<>();
        list.forEach(value -> values.add(CanonicalJson.of(value)));
        return values;
    }

    private static String join(Set<String> values) {
        return String.join(", ", values);
    }

    private static String was(JsonNode old, JsonNode now) {
        return (old.isMissingNode() ? "nothing" : old)
                + " became "
                + (now.isMissingNode() ? "nothing" : now);
    }
}
