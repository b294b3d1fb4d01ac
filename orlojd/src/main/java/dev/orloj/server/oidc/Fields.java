package dev.orloj.server.oidc;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the fields of an object, each of which has to be known. Every error is an
 * IllegalArgumentException that names the field.
 */
final class Fields {

    private final String path;
    private final ObjectNode node;
    private final Set<String> known = new HashSet<>();

    Fields(String path, ObjectNode node) {
        this.path = path;
        this.node = node;
    }

    private JsonNode value(String name) {
        known.add(name);
        return node.path(name);
    }

    boolean has(String name) {
        JsonNode value = value(name);
        return !value.isMissingNode() && !value.isNull();
    }

    /** Returns a text; empty when there is none. */
    String text(String name) {
        if (!has(name)) {
            return "";
        }
        if (!value(name).isString()) {
            throw error(name, "expected a string");
        }
        return value(name).asString();
    }

    String required(String name) {
        String text = text(name);
        if (text.isEmpty()) {
            throw error(name, "is required");
        }
        return text;
    }

    Optional<Fields> object(String name) {
        if (!has(name)) {
            return Optional.empty();
        }
        if (value(name) instanceof ObjectNode object) {
            return Optional.of(new Fields(at(name), object));
        }
        throw error(name, "expected an object");
    }

    Fields requiredObject(String name) {
        return object(name).orElseThrow(() -> error(name, "is required"));
    }

    List<Fields> objects(String name) {
        List<Fields> objects = new ArrayList<>();
        for (JsonNode item : array(name)) {
            String place = "%s[%d]".formatted(at(name), objects.size());
            if (!(item instanceof ObjectNode object)) {
                throw new IllegalArgumentException(place + ": expected an object");
            }
            objects.add(new Fields(place, object));
        }
        return objects;
    }

    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (JsonNode item : array(name)) {
            if (!item.isString() || item.asString().isEmpty()) {
                throw new IllegalArgumentException(
                        "%s[%d]: expected a string that is not empty"
                                .formatted(at(name), texts.size()));
            }
            texts.add(item.asString());
        }
        return texts;
    }

    private Iterable<JsonNode> array(String name) {
        if (!has(name)) {
            return List.of();
        }
        if (!value(name).isArray()) {
            throw error(name, "expected a list");
        }
        return value(name);
    }

    /** Refuses a field that Kubernetes knows and orlojd does not. */
    void refuse(String name, String reason) {
        if (has(name)) {
            throw error(name, reason);
        }
    }

    /** Refuses fields that nothing has asked for. */
    void end() {
        for (String name : node.propertyNames()) {
            if (!known.contains(name)) {
                throw error(name, "unknown field");
            }
        }
    }

    IllegalArgumentException error(String name, String message) {
        return new IllegalArgumentException(at(name) + ": " + message);
    }

    private String at(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
