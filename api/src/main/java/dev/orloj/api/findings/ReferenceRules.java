package dev.orloj.api.findings;

import tools.jackson.databind.JsonNode;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Finds remote references and large integers in schemas, and icons from odd places. */
final class ReferenceRules {

    private static final BigInteger SAFE = BigInteger.ONE.shiftLeft(53);

    private static final List<String> IMAGES =
            List.of("data:image/png", "data:image/jpeg", "data:image/webp", "data:image/gif");

    private static final List<String> ACTIVE =
            List.of("javascript:", "vbscript:", "file:", "data:text/", "data:application/");

    private record Place(JsonNode node, String pointer) {}

    private ReferenceRules() {}

    static void examine(Definition definition, FindingList findings) {
        for (String schema : List.of("inputSchema", "outputSchema")) {
            walk(definition.content().path(schema), "/" + schema, findings);
        }
        int index = 0;
        for (JsonNode icon : definition.content().path("icons")) {
            icon(icon.path("src").asString(""), "/icons/" + index++ + "/src", findings);
            if (index >= DefinitionTexts.MAX_DEPTH) {
                break;
            }
        }
    }

    private static void walk(JsonNode schema, String pointer, FindingList findings) {
        Deque<Place> left = new ArrayDeque<>();
        left.add(new Place(schema, pointer));
        int count = 0;
        while (!left.isEmpty() && count++ < DefinitionTexts.MAX_TEXTS) {
            Place next = left.removeFirst();
            JsonNode node = next.node();
            if (node.isIntegralNumber() && node.bigIntegerValue().abs().compareTo(SAFE) > 0) {
                findings.add(
                        FindingRule.UNSAFE_INTEGER,
                        FindingSeverity.LOW,
                        next.pointer(),
                        "The integer %s, which other programs round"
                                .formatted(shown(node.asString())));
            }
            int index = 0;
            for (JsonNode element : node.isArray() ? node : List.<JsonNode>of()) {
                String place = DefinitionTexts.child(next.pointer(), Integer.toString(index++));
                left.add(new Place(element, place));
            }
            for (Map.Entry<String, JsonNode> member : node.properties()) {
                String place = DefinitionTexts.child(next.pointer(), member.getKey());
                reference(member.getKey(), member.getValue(), place, findings);
                left.add(new Place(member.getValue(), place));
            }
        }
    }

    private static void reference(String name, JsonNode value, String place, FindingList findings) {
        if ((name.equals("$ref") || name.equals("$dynamicRef")) && value.isString()) {
            String target = value.asString().toLowerCase(Locale.ROOT);
            if ((target.contains("://") || target.startsWith("file:"))
                    && !target.contains("://json-schema.org/")) {
                findings.add(
                        FindingRule.REMOTE_REFERENCE,
                        FindingSeverity.MEDIUM,
                        place,
                        "A reference to %s".formatted(shown(value.asString())));
            }
        }
    }

    private static void icon(String source, String place, FindingList findings) {
        String start = source.substring(0, Math.min(source.length(), 40)).toLowerCase(Locale.ROOT);
        if (start.isEmpty()
                || start.startsWith("https:")
                || IMAGES.stream().anyMatch(start::startsWith)) {
            return;
        }
        findings.add(
                FindingRule.ICON_SOURCE,
                severity(start),
                place,
                "An icon from %s".formatted(shown(start)));
    }

    private static FindingSeverity severity(String source) {
        if (ACTIVE.stream().anyMatch(source::startsWith)) {
            return FindingSeverity.HIGH;
        }
        boolean isMild =
                source.startsWith("http:") || source.startsWith("data:") || source.indexOf(':') < 0;
        return isMild ? FindingSeverity.LOW : FindingSeverity.MEDIUM;
    }

    private static String shown(String text) {
        return Excerpt.escape(text.substring(0, Math.min(text.length(), 100)));
    }
}
