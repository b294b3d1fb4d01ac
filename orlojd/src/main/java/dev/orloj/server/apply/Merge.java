package dev.orloj.server.apply;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Merges an applied configuration into the live document. Modifies neither. */
final class Merge {

    private Merge() {}

    static JsonNode of(FieldType type, JsonNode live, JsonNode config) {
        FieldType.Shape shape = type.shapeOf(live);
        // A null for a non-empty shared value claims the field and removes nothing from it.
        if (config.isNull() && shape != FieldType.Shape.WHOLE && !live.isEmpty()) {
            return live.deepCopy();
        }
        if (shape != type.shapeOf(config) || shape == FieldType.Shape.WHOLE) {
            return config.deepCopy();
        }
        return shape == FieldType.Shape.FIELDS
                ? fields(type, live, config)
                : items(type, live, config);
    }

    private static ObjectNode fields(FieldType type, JsonNode live, JsonNode config) {
        ObjectNode merged = (ObjectNode) live.deepCopy();
        for (Map.Entry<String, JsonNode> field : config.properties()) {
            JsonNode present = live.get(field.getKey());
            merged.set(
                    field.getKey(),
                    present == null
                            ? field.getValue().deepCopy()
                            : of(type.field(field.getKey()), present, field.getValue()));
        }
        return merged;
    }

    /**
     * Orders the applied items as the client sent them. Items that only the live list has keep
     * their place among them.
     */
    private static ArrayNode items(FieldType type, JsonNode live, JsonNode config) {
        Map<PathElement, JsonNode> present = byElement(type, live);
        Map<PathElement, JsonNode> applied = byElement(type, config);
        Deque<PathElement> shared = new ArrayDeque<>(applied.keySet());
        shared.removeIf(element -> !present.containsKey(element));
        Deque<Map.Entry<PathElement, JsonNode>> wanted = new ArrayDeque<>(applied.entrySet());
        Set<PathElement> done = new HashSet<>();
        ArrayNode merged = ((ArrayNode) config).arrayNode();
        Runnable next =
                () -> {
                    Map.Entry<PathElement, JsonNode> item = wanted.removeFirst();
                    PathElement element = item.getKey();
                    JsonNode there = present.get(element);
                    merged.add(
                            there == null
                                    ? item.getValue().deepCopy()
                                    : of(type.items(), there, item.getValue()));
                    if (element.equals(shared.peekFirst())) {
                        shared.removeFirst();
                    }
                    done.add(element);
                };
        for (JsonNode item : live) {
            PathElement element = type.elementOf(item);
            if (!applied.containsKey(element)) {
                merged.add(item.deepCopy());
                continue;
            }
            while (!done.contains(element) && element.equals(shared.peekFirst())) {
                next.run();
            }
        }
        while (!wanted.isEmpty()) {
            next.run();
        }
        return merged;
    }

    private static Map<PathElement, JsonNode> byElement(FieldType type, JsonNode list) {
        Map<PathElement, JsonNode> items = new LinkedHashMap<>();
        list.forEach(item -> items.putIfAbsent(type.elementOf(item), item));
        return items;
    }
}
