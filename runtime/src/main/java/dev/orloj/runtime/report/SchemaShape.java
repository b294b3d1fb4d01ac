package dev.orloj.runtime.report;

import tools.jackson.databind.JsonNode;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;

/**
 * The shape of a schema, without its meaning.
 *
 * @param depth the number of levels
 * @param remote the first reference to another document; empty for none
 */
record SchemaShape(int depth, Optional<String> remote) {

    private record Place(JsonNode node, int depth) {}

    static SchemaShape of(JsonNode schema) {
        int deepest = 0;
        String remote = null;
        Deque<Place> left = new ArrayDeque<>();
        left.add(new Place(schema, 1));
        while (!left.isEmpty()) {
            Place next = left.removeLast();
            if (!next.node().isContainer()) {
                continue;
            }
            deepest = Math.max(deepest, next.depth());
            for (Map.Entry<String, JsonNode> member : next.node().properties()) {
                if (remote == null && isRemote(member.getKey(), member.getValue())) {
                    remote = member.getValue().asString();
                }
            }
            next.node().forEach(child -> left.add(new Place(child, next.depth() + 1)));
        }
        return new SchemaShape(deepest, Optional.ofNullable(remote));
    }

    private static boolean isRemote(String name, JsonNode value) {
        return (name.equals("$ref") || name.equals("$dynamicRef"))
                && value.isString()
                && value.asString().contains("://")
                && !value.asString().contains("://json-schema.org/");
    }
}
