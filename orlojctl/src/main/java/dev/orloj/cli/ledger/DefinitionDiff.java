package dev.orloj.cli.ledger;

import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.SchemaChange;
import dev.orloj.api.ledger.SchemaComparison;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Compares two definitions: texts by word, and schemas by effect. */
final class DefinitionDiff {

    private static final Set<String> TEXTS =
            Set.of("title", "description", "$comment", "default", "examples", "enum", "const");

    private DefinitionDiff() {}

    /** Returns one line for each difference. */
    static List<String> lines(JsonNode before, JsonNode after) {
        List<String> lines = new ArrayList<>();
        List<SchemaChange> changes =
                new ArrayList<>(
                        SchemaComparison.ofInputs(
                                before.path("inputSchema"), after.path("inputSchema")));
        changes.addAll(
                SchemaComparison.ofOutputs(
                        before.path("outputSchema"), after.path("outputSchema")));
        for (SchemaChange change : changes) {
            lines.add(
                    "%s %s: %s"
                            .formatted(
                                    change.level().name().toLowerCase(Locale.ROOT),
                                    change.pointer(),
                                    change.message()));
        }
        Map<String, JsonNode> old = new TreeMap<>();
        Map<String, JsonNode> now = new TreeMap<>();
        collect("", before, false, old);
        collect("", after, false, now);
        Set<String> places = new TreeSet<>(old.keySet());
        places.addAll(now.keySet());
        for (String place : places) {
            String was = text(old.get(place));
            String is = text(now.get(place));
            if (!was.equals(is)) {
                lines.add("text " + place + ": " + WordDiff.of(was, is));
            }
        }
        return lines.isEmpty() ? withoutEffect(before, after) : lines;
    }

    /** Returns what differs where neither words nor the effects of schemas do. */
    private static List<String> withoutEffect(JsonNode before, JsonNode after) {
        Set<String> fields = new TreeSet<>(before.propertyNames());
        fields.addAll(after.propertyNames());
        List<String> lines = new ArrayList<>();
        for (String field : fields) {
            String was = text(before.get(field));
            String is = text(after.get(field));
            if (!was.equals(is)) {
                lines.add("no effect /" + field + ": " + WordDiff.of(was, is));
            }
        }
        return lines;
    }

    /** Collects what is compared by words: the texts of schemas, and all outside of schemas. */
    private static void collect(
            String pointer, JsonNode value, boolean inSchema, Map<String, JsonNode> texts) {
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            String name = field.getKey();
            String place = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
            boolean isSchema = pointer.isEmpty() && name.endsWith("putSchema");
            if (inSchema || isSchema) {
                if (TEXTS.contains(name) && !pointer.endsWith("/properties")) {
                    texts.put(place, field.getValue());
                } else {
                    collect(place, field.getValue(), true, texts);
                }
            } else {
                texts.put(place, field.getValue());
            }
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            collect(pointer + "/" + i, value.path(i), inSchema, texts);
        }
    }

    private static String text(@Nullable JsonNode value) {
        if (value == null) {
            return "";
        }
        return value.isString() ? value.asString() : CanonicalJson.of(value);
    }
}
