package dev.orloj.server.apply;

import dev.orloj.api.Frozen;
import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Describes at which granularity a schema lets managers share a value: as a whole, by field or by
 * item. Immutable, safe for many threads.
 *
 * <p>A list is shared by item only when {@code x-kubernetes-list-type} declares it a set or a map.
 * An object is shared by field unless {@code x-kubernetes-map-type} declares it atomic.
 */
public final class FieldType {

    /** The type without a schema: objects are shared by field, lists are atomic. */
    private static final FieldType UNKNOWN = new FieldType(Json.MAPPER.createObjectNode());

    /** The granularity at which managers share a value. */
    enum Shape {
        WHOLE,
        FIELDS,
        ITEMS
    }

    private final Map<String, FieldType> fields = new HashMap<>();
    private final Optional<FieldType> entries;
    private final Optional<FieldType> items;
    private final Map<String, JsonNode> keys;
    private final boolean shareable;
    private final boolean set;
    private final boolean open;

    private FieldType(JsonNode schema) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            fields.put(property.getKey(), new FieldType(property.getValue()));
        }
        JsonNode additional = schema.path("additionalProperties");
        this.entries =
                additional.isObject() ? Optional.of(new FieldType(additional)) : Optional.empty();
        this.items =
                schema.has("items")
                        ? Optional.of(new FieldType(schema.path("items")))
                        : Optional.empty();
        this.keys = keys(schema);
        this.shareable = !schema.path("x-kubernetes-map-type").asString("").equals("atomic");
        this.set = schema.path("x-kubernetes-list-type").asString("").equals("set");
        this.open =
                schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false)
                        || additional.asBoolean(false)
                        || (!schema.has("properties") && !schema.has("additionalProperties"));
    }

    /** Creates the type of a kind from its structural schema. */
    public static FieldType of(JsonNode schema) {
        return new FieldType(schema);
    }

    /** Returns the key fields of the items with their defaults; empty unless the list is a map. */
    private static Map<String, JsonNode> keys(JsonNode schema) {
        Map<String, JsonNode> keys = new HashMap<>();
        if (schema.path("x-kubernetes-list-type").asString("").equals("map")) {
            JsonNode properties = schema.path("items").path("properties");
            for (JsonNode key : schema.path("x-kubernetes-list-map-keys")) {
                JsonNode fallback = properties.path(key.asString("")).path("default");
                keys.put(key.asString(""), fallback);
            }
        }
        return Frozen.map(keys);
    }

    Shape shapeOf(JsonNode value) {
        if (value.isObject()) {
            return shareable ? Shape.FIELDS : Shape.WHOLE;
        }
        return value.isArray() && (set || !keys.isEmpty()) ? Shape.ITEMS : Shape.WHOLE;
    }

    /** Returns whether the schema names the field, as opposed to allowing any field. */
    boolean declares(String field) {
        return fields.containsKey(field);
    }

    /** Returns whether the schema permits a field of that name. */
    boolean allows(String field) {
        return open || declares(field) || entries.isPresent();
    }

    FieldType field(String name) {
        FieldType declared = fields.get(name);
        return declared != null ? declared : entries.orElse(UNKNOWN);
    }

    FieldType items() {
        return items.orElse(UNKNOWN);
    }

    FieldType below(PathElement element) {
        return element instanceof PathElement.Field(String name) ? field(name) : items();
    }

    /**
     * Returns the path element that identifies an item in its list. The list must be shared by
     * item.
     */
    PathElement elementOf(JsonNode item) {
        if (keys.isEmpty()) {
            return new PathElement.Value(JsonValues.text(item));
        }
        SortedMap<String, String> values = new TreeMap<>();
        keys.forEach((key, fallback) -> values.put(key, JsonValues.text(key(item, key))));
        return new PathElement.Key(values);
    }

    private JsonNode key(JsonNode item, String name) {
        JsonNode given = item.path(name);
        JsonNode value = given.isMissingNode() ? keys.getOrDefault(name, given) : given;
        return value.isMissingNode() ? NullNode.getInstance() : value;
    }

    /** Returns the key fields that the item lacks and that have no default. */
    List<String> missingKeys(JsonNode item) {
        List<String> missing = new ArrayList<>();
        for (String key : keys.keySet()) {
            if (key(item, key).isNull()) {
                missing.add(key);
            }
        }
        return missing;
    }
}
