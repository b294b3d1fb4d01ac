package dev.orloj.runtime.http;

import dev.orloj.api.codec.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A JSON template with placeholders for arguments in its strings. A string that consists of a
 * single placeholder is replaced by the argument itself; names of members are not templates.
 * Immutable.
 */
final class BodyTemplate {

    private static final String FIELD = "spec.body";

    /** Limit of the inserted arguments; an argument counts once per placeholder. */
    private static final long LONGEST_BODY = 16L * 1024 * 1024;

    private final JsonNode body;
    private final Set<String> names = new TreeSet<>();

    private BodyTemplate(JsonNode body) {
        this.body = body;
        collect(body);
    }

    /**
     * @throws InvalidTemplateException with the field and the remedy
     */
    static BodyTemplate parse(JsonNode body) {
        return new BodyTemplate(body);
    }

    private void collect(JsonNode node) {
        if (node.isString()) {
            names.addAll(TextTemplate.parse(FIELD, node.stringValue()).names());
        }
        node.valueStream().forEach(this::collect);
    }

    Set<String> names() {
        return Collections.unmodifiableSet(names);
    }

    byte[] fill(ObjectNode arguments) throws UnfitArgumentsException {
        JsonNode filled = new Filling(arguments).fill(body);
        return Json.MAPPER.writeValueAsBytes(
                filled == null ? Json.MAPPER.createObjectNode() : filled);
    }

    /** The state of filling one body. */
    private static final class Filling {

        private final ObjectNode arguments;
        private long length = 0;

        Filling(ObjectNode arguments) {
            this.arguments = arguments;
        }

        /** Returns the filled node; null when it is omitted. */
        @Nullable JsonNode fill(JsonNode node) throws UnfitArgumentsException {
            if (node.isString()) {
                return text(TextTemplate.parse(FIELD, node.stringValue()));
            }
            if (node instanceof ObjectNode object) {
                ObjectNode filled = object.objectNode();
                for (Map.Entry<String, JsonNode> member : object.properties()) {
                    JsonNode value = fill(member.getValue());
                    if (value != null) {
                        filled.set(member.getKey(), value);
                    }
                }
                return filled;
            }
            if (node instanceof ArrayNode array) {
                ArrayNode filled = array.arrayNode();
                for (JsonNode item : array) {
                    JsonNode value = fill(item);
                    if (value != null) {
                        filled.add(value);
                    }
                }
                return filled;
            }
            return node;
        }

        private @Nullable JsonNode text(TextTemplate template) throws UnfitArgumentsException {
            Optional<String> only = template.onlyName();
            if (only.isPresent()) {
                // An explicit null is kept.
                JsonNode value = arguments.get(only.get());
                if (value != null) {
                    spend(only.get(), value.toString().length());
                }
                return value;
            }
            return arguments.stringNode(template.fill(this::within, TextLimit.NONE).orElse(""));
        }

        private String within(String name) throws UnfitArgumentsException {
            JsonNode value = ArgumentText.given(arguments, name);
            String text = value == null ? "" : ArgumentText.of(value);
            spend(name, text.length());
            return text;
        }

        private void spend(String name, int characters) throws UnfitArgumentsException {
            length += characters;
            if (length > LONGEST_BODY) {
                throw UnfitArgumentsException.invalid(
                        name,
                        "must be shorter: the body of the request would have more than %d bytes"
                                .formatted(LONGEST_BODY));
            }
        }
    }
}
