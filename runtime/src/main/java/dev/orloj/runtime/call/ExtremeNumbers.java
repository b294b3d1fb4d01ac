package dev.orloj.runtime.call;

import tools.jackson.databind.JsonNode;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Detects numbers such as {@code 1e999999999}: they are short, but exact arithmetic on them, which
 * validators perform, needs gigabytes.
 */
final class ExtremeNumbers {

    /** Two and a half times what a double can represent. */
    private static final int MAX_DIGITS = 1_000;

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
        return node.isBigDecimal() && Math.abs((long) node.decimalValue().scale()) > MAX_DIGITS;
    }
}
