package dev.orloj.runtime.call;

import tools.jackson.databind.JsonNode;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Finds numbers such as {@code 1e999999999}: short to write, while exact arithmetic on them, which
 * validators do, takes gigabytes.
 */
final class ExtremeNumbers {

    /** Twice and a half what a double can express. */
    private static final int MOST_DIGITS = 1_000;

    private ExtremeNumbers() {}

    static boolean in(JsonNode tree) {
        if (tree.isEmpty()) {
            return isExtreme(tree);
        }
        Deque<JsonNode> left = new ArrayDeque<>();
        left.push(tree);
        while (!left.isEmpty()) {
            for (JsonNode child : left.pop()) {
                if (isExtreme(child)) {
                    return true;
                }
                if (!child.isEmpty()) {
                    left.push(child);
                }
            }
        }
        return false;
    }

    private static boolean isExtreme(JsonNode node) {
        return node.isBigDecimal() && Math.abs((long) node.decimalValue().scale()) > MOST_DIGITS;
    }
}
