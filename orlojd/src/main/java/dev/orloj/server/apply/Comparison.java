package dev.orloj.server.apply;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Describes how two documents differ, field by field. Ignores the order of items in lists that are
 * shared by item.
 *
 * @param added fields that only the second document has, with everything below them
 * @param modified fields that both documents have with different values
 * @param removed fields that only the first document has, with everything below them
 */
record Comparison(FieldSet added, FieldSet modified, FieldSet removed) {

    static Comparison of(FieldType type, JsonNode before, JsonNode after) {
        Walk walk = new Walk();
        walk.compare(type, before, after);
        return new Comparison(
                walk.added.build().minus(Bookkeeping.FIELDS),
                walk.modified.build().minus(Bookkeeping.FIELDS),
                walk.removed.build().minus(Bookkeeping.FIELDS));
    }

    /** Returns the fields that the second document adds or changes. */
    FieldSet changed() {
        return added.union(modified);
    }

    boolean isEmpty() {
        return added.isEmpty() && modified.isEmpty() && removed.isEmpty();
    }

    /** Walks both documents at once. For one use. */
    private static final class Walk {

        private final FieldSet.Builder added = new FieldSet.Builder();
        private final FieldSet.Builder modified = new FieldSet.Builder();
        private final FieldSet.Builder removed = new FieldSet.Builder();
        private final List<PathElement> path = new ArrayList<>();

        void compare(FieldType type, JsonNode before, JsonNode after) {
            FieldType.Shape shape = type.shapeOf(before);
            FieldType.Shape other = type.shapeOf(after);
            if (shape == FieldType.Shape.FIELDS && isFieldsOrNull(other, after)) {
                compareFields(type, before, after);
            } else if (other == FieldType.Shape.FIELDS && before.isNull()) {
                compareFields(type, before, after);
            } else if (shape == other && shape == FieldType.Shape.ITEMS) {
                compareItems(type, before, after);
            } else if (!JsonValues.isSame(before, after)) {
                modified.add(path);
                below(type, before, removed);
                below(type, after, added);
            }
        }

        private static boolean isFieldsOrNull(FieldType.Shape shape, JsonNode value) {
            return shape == FieldType.Shape.FIELDS || value.isNull();
        }

        private void compareFields(FieldType type, JsonNode before, JsonNode after) {
            if (before.isEmpty() && after.isEmpty() && !before.equals(after)) {
                modified.add(path); // one is null, the other an empty object
                return;
            }
            Set<String> names = new LinkedHashSet<>(before.propertyNames());
            names.addAll(after.propertyNames());
            for (String name : names) {
                path.add(new PathElement.Field(name));
                compareSides(type.field(name), before.get(name), after.get(name));
                path.removeLast();
            }
        }

        private void compareItems(FieldType type, JsonNode before, JsonNode after) {
            Map<PathElement, List<JsonNode>> left = byElement(type, before);
            Map<PathElement, List<JsonNode>> right = byElement(type, after);
            Set<PathElement> elements = new LinkedHashSet<>(left.keySet());
            elements.addAll(right.keySet());
            for (PathElement element : elements) {
                path.add(element);
                compareEqualItems(
                        type.items(),
                        left.getOrDefault(element, List.of()),
                        right.getOrDefault(element, List.of()));
                path.removeLast();
            }
        }

        /**
         * Compares items with the same key as one. Only stored documents may have such duplicates.
         */
        private void compareEqualItems(
                FieldType type, List<JsonNode> before, List<JsonNode> after) {
            if (before.size() <= 1 && after.size() <= 1) {
                compareSides(
                        type,
                        before.isEmpty() ? null : before.getFirst(),
                        after.isEmpty() ? null : after.getFirst());
            } else if (!before.equals(after)) {
                modified.add(path);
            }
        }

        private void compareSides(
                FieldType type, @Nullable JsonNode before, @Nullable JsonNode after) {
            if (before != null && after != null) {
                compare(type, before, after);
            } else if (after != null) {
                whole(type, after, added);
            } else if (before != null) {
                whole(type, before, removed);
            }
        }

        private void whole(FieldType type, JsonNode value, FieldSet.Builder side) {
            side.add(path);
            below(type, value, side);
        }

        private void below(FieldType type, JsonNode value, FieldSet.Builder side) {
            switch (type.shapeOf(value)) {
                case WHOLE -> {}
                case FIELDS ->
                        value.properties()
                                .forEach(
                                        field -> {
                                            path.add(new PathElement.Field(field.getKey()));
                                            FieldType child = type.field(field.getKey());
                                            whole(child, field.getValue(), side);
                                            path.removeLast();
                                        });
                case ITEMS ->
                        value.forEach(
                                item -> {
                                    path.add(type.elementOf(item));
                                    whole(type.items(), item, side);
                                    path.removeLast();
                                });
            }
        }

        private static Map<PathElement, List<JsonNode>> byElement(FieldType type, JsonNode list) {
            Map<PathElement, List<JsonNode>> items = new LinkedHashMap<>();
            for (JsonNode item : list) {
                items.computeIfAbsent(type.elementOf(item), _ -> new ArrayList<>()).add(item);
            }
            return items;
        }
    }
}
