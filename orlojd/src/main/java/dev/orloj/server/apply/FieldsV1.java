package dev.orloj.server.apply;

import dev.orloj.api.codec.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Encodes and decodes the {@code FieldsV1} format of field sets: a tree of objects whose names are
 * {@code f:} with a field, {@code k:} with the key of an item, or {@code v:} with an item. The name
 * {@code .} states that the enclosing path itself is in the set.
 */
final class FieldsV1 {

    private static final String SELF = ".";

    private FieldsV1() {}

    static ObjectNode encode(FieldSet fields) {
        return encodeInto(Json.MAPPER.createObjectNode(), fields);
    }

    private static ObjectNode encodeInto(ObjectNode tree, FieldSet fields) {
        for (PathElement element : fields.elements()) {
            FieldSet below = fields.below(element);
            ObjectNode node = tree.putObject(name(element));
            if (fields.has(element) && !below.isEmpty()) {
                node.putObject(SELF);
            }
            encodeInto(node, below);
        }
        return tree;
    }

    /**
     * @throws IllegalArgumentException when the value is not a {@code FieldsV1} tree
     */
    static FieldSet decode(JsonNode tree) {
        FieldSet.Builder fields = new FieldSet.Builder();
        decode(tree, new ArrayList<>(), fields);
        return fields.build();
    }

    private static void decode(JsonNode tree, List<PathElement> path, FieldSet.Builder fields) {
        if (!tree.isObject()) {
            throw new IllegalArgumentException("expected an object, got " + tree);
        }
        if (!path.isEmpty() && (tree.isEmpty() || tree.has(SELF))) {
            fields.add(path);
        }
        for (Map.Entry<String, JsonNode> child : tree.properties()) {
            if (!child.getKey().equals(SELF)) {
                path.add(element(child.getKey()));
                decode(child.getValue(), path, fields);
                path.removeLast();
            }
        }
    }

    private static String name(PathElement element) {
        return switch (element) {
            case PathElement.Field(String name) -> "f:" + name;
            case PathElement.Key(SortedMap<String, String> values) -> "k:" + object(values);
            case PathElement.Value(String json) -> "v:" + json;
            case PathElement.Index(int position) -> "i:" + position;
        };
    }

    private static String object(SortedMap<String, String> values) {
        ObjectNode object = Json.MAPPER.createObjectNode();
        values.forEach((field, json) -> object.set(field, parse(json)));
        return JsonValues.text(object);
    }

    private static PathElement element(String name) {
        String rest = name.length() < 2 ? "" : name.substring(2);
        return switch (name.length() < 2 ? "" : name.substring(0, 2)) {
            case "f:" -> new PathElement.Field(rest);
            case "k:" -> key(parse(rest));
            case "v:" -> new PathElement.Value(JsonValues.text(parse(rest)));
            case "i:" -> new PathElement.Index(Integer.parseInt(rest));
            default -> throw new IllegalArgumentException("\"" + name + "\" names no path element");
        };
    }

    private static PathElement key(JsonNode object) {
        if (!object.isObject() || object.isEmpty()) {
            throw new IllegalArgumentException("a key is an object with fields, got " + object);
        }
        SortedMap<String, String> values = new TreeMap<>();
        object.properties().forEach(e -> values.put(e.getKey(), JsonValues.text(e.getValue())));
        return new PathElement.Key(values);
    }

    private static JsonNode parse(String json) {
        try {
            return Json.MAPPER.readTree(json);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("no JSON: " + json, e);
        }
    }
}
