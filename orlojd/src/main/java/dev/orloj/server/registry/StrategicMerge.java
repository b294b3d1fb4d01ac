package dev.orloj.server.registry;

import dev.orloj.api.ApiException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Applies strategic merge patches, which typed Kubernetes clients compute. Merges objects as in a
 * JSON merge patch. Merges a list item by item when its schema declares it a set, or a map with one
 * key; otherwise replaces it. Supports the directives {@code $patch} and {@code
 * $deleteFromPrimitiveList/LIST}. Ignores the order that {@code $setElementOrder/LIST} requests,
 * because order has no meaning in the lists that are merged here.
 */
final class StrategicMerge {

    private static final String DIRECTIVE = "$patch";
    private static final String DELETE_ITEMS = "$deleteFromPrimitiveList/";
    private static final int MAX_MERGED = 1_000;
    private static final String ORDER = "$setElementOrder/";

    private StrategicMerge() {}

    /**
     * @throws ApiException (BadRequest) when a directive is unknown or an item has no key
     */
    static void merge(ObjectNode target, ObjectNode patch, JsonNode schema) {
        if (isDirected(target, patch)) {
            return;
        }
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            String name = field.getKey();
            JsonNode value = field.getValue();
            if (name.startsWith(DELETE_ITEMS)) {
                removeValues(target.path(name.substring(DELETE_ITEMS.length())), value);
            } else if (value.isNull()) {
                target.remove(name);
            } else if (!name.startsWith(ORDER)) {
                mergeField(target, name, value, schemaOf(schema, name));
            }
        }
    }

    private static void mergeField(
            ObjectNode target, String name, JsonNode value, JsonNode schema) {
        if (value instanceof ObjectNode object) {
            ObjectNode child =
                    target.get(name) instanceof ObjectNode present
                            ? present
                            : target.putObject(name);
            merge(child, object, schema);
        } else if (value instanceof ArrayNode items && isMerged(schema)) {
            ArrayNode present =
                    target.get(name) instanceof ArrayNode list ? list : target.putArray(name);
            mergeItems(present, items, schema, name);
        } else {
            target.set(name, value);
        }
    }

    private static JsonNode schemaOf(JsonNode schema, String field) {
        JsonNode property = schema.path("properties").path(field);
        return property.isMissingNode() ? schema.path("additionalProperties") : property;
    }

    private static boolean isMerged(JsonNode schema) {
        return List.of("set", "map").contains(listType(schema));
    }

    private static String listType(JsonNode schema) {
        return schema.path("x-kubernetes-list-type").asString("");
    }

    /** Executes the directive of an object, if any; returns true when nothing is left to do. */
    private static boolean isDirected(ObjectNode target, ObjectNode patch) {
        String directive = directive(patch);
        switch (directive) {
            case "", "merge" -> {
                patch.remove(DIRECTIVE);
                return false;
            }
            case "replace" -> {
                patch.remove(DIRECTIVE);
                target.removeAll();
                target.setAll(patch);
                return true;
            }
            case "delete" -> {
                target.removeAll();
                return true;
            }
            default -> throw unknown(directive);
        }
    }

    private static String directive(JsonNode patch) {
        JsonNode directive = patch.path(DIRECTIVE);
        return directive.isMissingNode() ? "" : directive.asString("?");
    }

    private static ApiException unknown(String directive) {
        return ApiException.badRequest(
                "$patch is \"%s\" in the strategic merge patch, but must be merge, replace or delete"
                        .formatted(directive));
    }

    private static void removeValues(JsonNode list, JsonNode values) {
        requireFew(values, DELETE_ITEMS);
        if (list instanceof ArrayNode present) {
            retain(present, item -> values.valueStream().noneMatch(item::equals));
        }
    }

    /** Limits quadratic comparison: each item is compared with each. */
    private static void requireFew(JsonNode items, String field) {
        if (items.size() > MAX_MERGED) {
            throw ApiException.badRequest(
                    "\"%s\" of the strategic merge patch has %d items, the limit is %d"
                            .formatted(field, items.size(), MAX_MERGED));
        }
    }

    private static void retain(ArrayNode list, Predicate<JsonNode> kept) {
        List<JsonNode> items = new ArrayList<>();
        list.forEach(items::add);
        list.removeAll();
        items.stream().filter(kept).forEach(list::add);
    }

    private static void mergeItems(
            ArrayNode target, ArrayNode patch, JsonNode schema, String field) {
        requireFew(patch, field);
        boolean replaces =
                patch.valueStream().anyMatch(i -> directive(i).equals("replace") && i.size() == 1);
        if (replaces) {
            target.removeAll();
        }
        for (JsonNode item : patch) {
            if (replaces && directive(item).equals("replace")) {
                continue;
            }
            if (listType(schema).equals("set")) {
                if (target.valueStream().noneMatch(item::equals)) {
                    target.add(item);
                }
            } else {
                mergeKeyed(target, item, schema, field);
            }
        }
    }

    private static void mergeKeyed(ArrayNode target, JsonNode item, JsonNode schema, String field) {
        String key = schema.path("x-kubernetes-list-map-keys").path(0).asString("");
        if (!(item instanceof ObjectNode object) || !object.has(key)) {
            throw ApiException.badRequest(
                    "an item of \"%s\" in the strategic merge patch has no \"%s\", by which items are merged"
                            .formatted(field, key));
        }
        Predicate<JsonNode> isSame = present -> present.path(key).equals(object.path(key));
        if (directive(object).equals("delete")) {
            retain(target, isSame.negate());
            return;
        }
        ObjectNode merged =
                target.valueStream()
                        .filter(isSame)
                        .map(ObjectNode.class::cast)
                        .findFirst()
                        .orElseGet(target::addObject);
        merge(merged, object, schema.path("items"));
    }
}
