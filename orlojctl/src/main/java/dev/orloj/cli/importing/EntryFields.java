package dev.orloj.cli.importing;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the fields of an entry, which clients name differently. */
final class EntryFields {

    /** The most elements of a list, and the most members of a map. */
    private static final int MAX_SIZE = 1_000;

    private static final int MAX_TEXT = 32 * 1024;

    private final ObjectNode node;

    EntryFields(ObjectNode node) {
        this.node = node;
    }

    boolean has(String name) {
        return node.hasNonNull(name);
    }

    JsonNode get(String name) {
        return node.path(name);
    }

    /** Returns the first of these fields that is there. */
    Optional<String> first(String... names) {
        for (String name : names) {
            if (node.hasNonNull(name)) {
                return Optional.of(name);
            }
        }
        return Optional.empty();
    }

    /** Returns the text of the first of these fields. */
    Optional<String> text(String... names) {
        return first(names).map(name -> text(name, node.get(name))).filter(t -> !t.isBlank());
    }

    static String text(String field, JsonNode value) {
        if (!value.isValueNode()) {
            throw new EntryException(
                    "%s: expected text, found %s"
                            .formatted(field, value.isArray() ? "a list" : "an object"));
        }
        String text = value.asString("");
        if (text.length() > MAX_TEXT) {
            throw new EntryException(
                    "%s has %d characters; at most %d are imported"
                            .formatted(field, text.length(), MAX_TEXT));
        }
        if (text.indexOf('\0') >= 0) {
            throw new EntryException(field + " has a NUL character; remove it");
        }
        return text;
    }

    boolean flag(String name, boolean fallback) {
        JsonNode value = node.path(name);
        if (value.isBoolean()) {
            return value.asBoolean();
        }
        return value.isString() ? Boolean.parseBoolean(value.asString()) : fallback;
    }

    /** Returns the texts of a list; a single text is a list of one. */
    List<String> texts(String... names) {
        Optional<String> name = first(names);
        if (name.isEmpty()) {
            return List.of();
        }
        JsonNode value = node.get(name.get());
        if (value.isValueNode()) {
            return List.of(text(name.get(), value));
        }
        requireSize(name.get(), value);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            texts.add(text(name.get() + "[" + i + "]", value.path(i)));
        }
        return texts;
    }

    /**
     * Returns the pairs of a map, or of a list of {@code NAME=VALUE} or of objects with name and
     * value. Members that are null are left out.
     */
    Map<String, String> pairs(String... names) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String name : names) {
            JsonNode value = node.path(name);
            requireSize(name, value);
            if (value.isObject()) {
                value.properties().stream()
                        .filter(f -> !f.getValue().isNull())
                        .forEach(
                                f ->
                                        pairs.put(
                                                f.getKey(),
                                                text(name + "." + f.getKey(), f.getValue())));
            } else if (value.isArray()) {
                value.forEach(item -> addPair(name, item, pairs));
            } else if (!value.isMissingNode() && !value.isNull()) {
                throw new EntryException(name + ": expected a map of names to values");
            }
        }
        return pairs;
    }

    private static void addPair(String field, JsonNode item, Map<String, String> pairs) {
        if (item.isObject() && item.hasNonNull("name")) {
            pairs.put(
                    item.path("name").asString(""),
                    text(field + "." + item.path("name").asString(""), item.path("value")));
            return;
        }
        String text = text(field, item);
        int sign = text.indexOf('=');
        if (sign < 1) {
            throw new EntryException(field + ": expected NAME=VALUE in the list");
        }
        pairs.put(text.substring(0, sign), text.substring(sign + 1));
    }

    private static void requireSize(String field, JsonNode value) {
        if (value.size() > MAX_SIZE) {
            throw new EntryException(
                    "%s has %d elements; at most %d are imported"
                            .formatted(field, value.size(), MAX_SIZE));
        }
    }
}
