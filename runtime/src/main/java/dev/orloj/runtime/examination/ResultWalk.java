package dev.orloj.runtime.examination;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import java.util.Map;

/**
 * Examines every text of a result: all strings and all names of fields, except the base64 data of
 * media. Makes a result without what was found, of whose nodes only those are new that differ. For
 * one result.
 */
final class ResultWalk {

    /** In characters, all texts together. */
    static final int MAX_TEXT = 4 * 1024 * 1024;

    static final int MAX_DEPTH = 100;

    private final FindingTally findings = new FindingTally();
    private int left = MAX_TEXT;
    private boolean isAmbiguous;

    FindingTally findings() {
        return findings;
    }

    /** Returns whether two fields of an object would have one name without what was found. */
    boolean isAmbiguous() {
        return isAmbiguous;
    }

    ObjectNode walk(ObjectNode result) {
        return object(result, ResultLocation.ROOT, 0);
    }

    private JsonNode walk(JsonNode node, ResultLocation place, int depth) {
        if (depth > MAX_DEPTH) {
            findings.at(place);
            findings.add(FindingKind.NOT_EXAMINED);
            return node;
        }
        return switch (node) {
            case StringNode text -> {
                String shown = text(text.asString(), place);
                yield shown.equals(text.asString()) ? node : StringNode.valueOf(shown);
            }
            case ArrayNode array -> array(array, place, depth);
            case ObjectNode object -> object(object, place, depth);
            default -> node;
        };
    }

    private ArrayNode array(ArrayNode array, ResultLocation place, int depth) {
        ArrayNode copy = JsonNodeFactory.instance.arrayNode();
        boolean differs = false;
        int index = 0;
        for (JsonNode each : array) {
            JsonNode shown = walk(each, place.child(index++), depth + 1);
            differs |= shown != each;
            copy.add(shown);
        }
        return differs ? copy : array;
    }

    private ObjectNode object(ObjectNode object, ResultLocation place, int depth) {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        boolean differs = false;
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            ResultLocation at = place.child(field.getKey());
            String name = text(field.getKey(), at);
            JsonNode value = field.getValue();
            JsonNode shown =
                    isMedia(object, place, field.getKey()) ? value : walk(value, at, depth + 1);
            boolean renamed = !name.equals(field.getKey());
            isAmbiguous |= copy.has(name) || renamed && object.has(name);
            differs |= renamed || shown != value;
            copy.set(name, shown);
        }
        return differs ? copy : object;
    }

    /** Returns whether a field of a content block is base64. */
    private static boolean isMedia(ObjectNode object, ResultLocation place, String field) {
        return switch (field) {
            case "data" -> {
                String type = object.path("type").asString("");
                yield isBlock(place) && (type.equals("image") || type.equals("audio"));
            }
            case "blob" ->
                    place.step().equals("resource")
                            && place.parent() != null
                            && isBlock(place.parent());
            default -> false;
        };
    }

    private static boolean isBlock(ResultLocation place) {
        ResultLocation list = place.parent();
        return list != null
                && list.step().equals("content")
                && list.parent() != null
                && list.parent().parent() == null;
    }

    private String text(String text, ResultLocation place) {
        findings.at(place);
        if (text.length() > left) {
            findings.add(FindingKind.NOT_EXAMINED);
            examine(text.substring(0, left));
            left = 0;
            return text;
        }
        left -= text.length();
        return examine(text).toString();
    }

    /** Later steps read what earlier steps leave, because what is hidden can divide a secret. */
    private CharSequence examine(String text) {
        CharSequence seen = HiddenText.remove(text, findings);
        return Secrets.remove(DataLinks.remove(seen, findings), findings);
    }
}
