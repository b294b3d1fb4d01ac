package dev.orloj.api.ledger;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What runs behind the definitions of a server, as a session finds it. Contains no secrets. Fields
 * that are not known are absent.
 *
 * @param fields {@code named}, what the manifest names, and the {@link #PARTS}
 */
public record RunningCode(ObjectNode fields) {

    /** What the manifest names. A change of it is the operator's own. */
    public static final String NAMED = "named";

    /** {@code name}, {@code version} and {@code integrity}. */
    public static final String PACKAGE = "package";

    /** {@code digest} of the file. */
    public static final String PROGRAM = "program";

    /** {@code digest}. */
    public static final String IMAGE = "image";

    /** {@code issuer}. */
    public static final String CERTIFICATE = "certificate";

    /** The parts that are compared. */
    public static final List<String> PARTS = List.of(PACKAGE, PROGRAM, IMAGE, CERTIFICATE);

    private static final int MAX_VALUE = 200;

    /** Enough of a digest to recognise it. */
    private static final int SHOWN = 24;

    /**
     * @param named by the manifest, without secrets
     */
    public static RunningCode named(String named) {
        return new RunningCode(Json.MAPPER.createObjectNode().put(NAMED, named));
    }

    /** Returns the same with a value of a part. A value that is empty or too long is not known. */
    public RunningCode with(String part, String field, String value) {
        if (value.isBlank() || value.length() > MAX_VALUE) {
            return this;
        }
        ObjectNode more = fields.deepCopy();
        more.withObject("/" + part).put(field, value.replaceAll("\\p{C}", "?"));
        return new RunningCode(more);
    }

    /** Returns what the manifest of a session named. */
    public String named() {
        return fields.path(NAMED).asString("");
    }

    public String digest() {
        return CanonicalJson.digest(fields);
    }

    /** Returns the digests of the parts by their names. */
    public Map<String, String> parts() {
        Map<String, String> parts = new TreeMap<>();
        PARTS.stream()
                .filter(fields::has)
                .forEach(part -> parts.put(part, CanonicalJson.digest(fields.path(part))));
        return parts;
    }

    /**
     * Returns a phrase for each part that changed, with what it was and is. Nothing changed if the
     * manifest names something else, and what was not known before has not changed. What was known
     * and no longer is, has.
     */
    public static List<String> changes(JsonNode before, JsonNode after) {
        List<String> changes = new ArrayList<>();
        if (!before.path(NAMED).equals(after.path(NAMED))) {
            return changes;
        }
        for (String part : PARTS) {
            JsonNode old = before.path(part);
            JsonNode now = after.path(part);
            boolean differs =
                    old.properties().stream()
                            .anyMatch(field -> !field.getValue().equals(now.path(field.getKey())));
            if (differs) {
                changes.add("%s %s is now %s".formatted(part, described(old), described(now)));
            }
        }
        return changes;
    }

    private static String described(JsonNode part) {
        List<String> values = new ArrayList<>();
        part.properties().forEach(field -> values.add(shown(field.getValue().asString(""))));
        return values.isEmpty() ? "not known" : String.join(" ", values);
    }

    private static String shown(String value) {
        boolean isDigest = value.matches("sha[0-9]{1,3}[:-].*");
        return isDigest && value.length() > SHOWN ? value.substring(0, SHOWN) + "..." : value;
    }
}
