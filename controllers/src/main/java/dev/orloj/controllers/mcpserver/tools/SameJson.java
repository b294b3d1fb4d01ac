package dev.orloj.controllers.mcpserver.tools;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.Comparator;

/**
 * Compares documents as JSON values. {@code 1e2} and {@code 100} are the same number, however the
 * store writes it.
 */
public final class SameJson {

    private static final Comparator<JsonNode> NUMBERS_BY_VALUE =
            (a, b) -> {
                if (a.equals(b)) {
                    return 0;
                }
                return a.isNumber() && b.isNumber() ? decimal(a).compareTo(decimal(b)) : 1;
            };

    private SameJson() {}

    public static boolean test(JsonNode a, JsonNode b) {
        return a.equals(NUMBERS_BY_VALUE, b);
    }

    private static BigDecimal decimal(JsonNode number) {
        return number.decimalValue();
    }
}
