package dev.orloj.server.apply;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.StringJoiner;
import java.util.TreeSet;

/**
 * Compares and prints JSON values by meaning: equal values have the same text, whatever their Java
 * types.
 */
final class JsonValues {

    private static final Comparator<JsonNode> BY_VALUE =
            (a, b) -> {
                if (a.isNumber() && b.isNumber()) {
                    return a.decimalValue().compareTo(b.decimalValue());
                }
                return a.equals(b) ? 0 : 1;
            };

    private JsonValues() {}

    static boolean isSame(JsonNode a, JsonNode b) {
        return a.equals(BY_VALUE, b);
    }

    static String text(JsonNode value) {
        if (value instanceof ObjectNode object) {
            StringJoiner fields = new StringJoiner(",", "{", "}");
            for (String name : new TreeSet<>(object.propertyNames())) {
                fields.add(quoted(name) + ":" + text(object.path(name)));
            }
            return fields.toString();
        }
        if (value.isArray()) {
            StringJoiner items = new StringJoiner(",", "[", "]");
            value.forEach(item -> items.add(text(item)));
            return items.toString();
        }
        return value.isNumber() ? number(value) : value.toString();
    }

    private static String number(JsonNode value) {
        if (value.isIntegralNumber()) {
            return value.bigIntegerValue().toString();
        }
        BigDecimal shortest = value.decimalValue().stripTrailingZeros();
        // Writes out only small exponents: 1e999999999 would take a gigabyte of zeros.
        boolean modest = shortest.scale() <= 0 && shortest.scale() > -20;
        return modest ? shortest.toPlainString() : shortest.toString();
    }

    private static String quoted(String name) {
        return StringNode.valueOf(name).toString();
    }
}
