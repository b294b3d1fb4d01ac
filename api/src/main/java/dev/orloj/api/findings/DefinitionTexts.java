package dev.orloj.api.findings;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All texts of a definition at every depth, names of members and unknown fields included, and the
 * arguments that its schemas describe. Not thread-safe while it is made.
 */
final class DefinitionTexts {

    /** The most characters of one text, of all texts, and the most texts and levels. */
    static final int MAX_LENGTH = 64 * 1024;

    static final int MAX_CHARACTERS = 256 * 1024;
    static final int MAX_TEXTS = 10_000;
    static final int MAX_DEPTH = 100;

    private static final Set<String> NAMES = Set.of("name", "title");
    private static final Set<String> PROSE = Set.of("description", "instructions", "$comment");
    private static final Set<String> NAMED =
            Set.of("properties", "$defs", "definitions", "patternProperties", "dependentSchemas");

    /** Members of the specifications. Their names are no texts of the server. */
    private static final Set<String> KEYWORDS =
            Set.of(
                    "$comment",
                    "$defs",
                    "$id",
                    "$ref",
                    "$schema",
                    "additionalProperties",
                    "allOf",
                    "annotations",
                    "anyOf",
                    "arguments",
                    "const",
                    "default",
                    "definitions",
                    "description",
                    "enum",
                    "examples",
                    "exclusiveMaximum",
                    "exclusiveMinimum",
                    "execution",
                    "format",
                    "icons",
                    "idempotentHint",
                    "destructiveHint",
                    "openWorldHint",
                    "readOnlyHint",
                    "inputSchema",
                    "instructions",
                    "items",
                    "maximum",
                    "maxItems",
                    "maxLength",
                    "mimeType",
                    "minimum",
                    "minItems",
                    "minLength",
                    "name",
                    "oneOf",
                    "outputSchema",
                    "pattern",
                    "prefixItems",
                    "properties",
                    "required",
                    "title",
                    "type",
                    "uri",
                    "uriTemplate",
                    "_meta");

    /** Values of which schemas are made. */
    private static final Set<String> ORDINARY =
            Set.of(
                    "array",
                    "boolean",
                    "integer",
                    "null",
                    "number",
                    "object",
                    "string",
                    "http://json-schema.org/draft-07/schema#",
                    "https://json-schema.org/draft/2020-12/schema");

    private final List<DefinitionText> texts = new ArrayList<>();
    private final List<Argument> arguments = new ArrayList<>();
    private int characters;
    private String left = "";

    /**
     * An argument that a schema or a prompt describes.
     *
     * @param pointer to its schema
     * @param isRequired as the schema says
     */
    record Argument(String pointer, String name, JsonNode schema, boolean isRequired) {}

    static DefinitionTexts of(Definition definition) {
        DefinitionTexts texts = new DefinitionTexts();
        texts.walk(definition.content(), "", "", 0);
        return texts;
    }

    List<DefinitionText> texts() {
        return texts;
    }

    List<Argument> arguments() {
        return arguments;
    }

    /** Returns the first place that is beyond the bounds; empty if there is none. */
    String left() {
        return left;
    }

    private void walk(JsonNode node, String pointer, String keyword, int depth) {
        if (depth > MAX_DEPTH) {
            leave(pointer);
            return;
        }
        if (node.isString()) {
            add(pointer, role(pointer, keyword), node.asString());
        } else if (node.isArray()) {
            int index = 0;
            for (JsonNode element : node) {
                if (isFull(pointer)) {
                    return;
                }
                String place = child(pointer, Integer.toString(index++));
                if (keyword.equals("arguments")) {
                    addPromptArgument(element, place);
                }
                walk(element, place, keyword, depth + 1);
            }
        } else if (node.isObject()) {
            walkMembers(node, pointer, keyword, depth);
        }
    }

    private void walkMembers(JsonNode node, String pointer, String keyword, int depth) {
        boolean isNamed = NAMED.contains(keyword);
        JsonNode required = node.path("required");
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            if (isFull(pointer)) {
                return;
            }
            String name = member.getKey();
            String place = child(pointer, name);
            if (isNamed || !KEYWORDS.contains(name)) {
                add(place, DefinitionText.Role.MEMBER, name);
            }
            if (!isNamed && name.equals("properties") && pointer.startsWith("/inputSchema")) {
                addArguments(member.getValue(), place, required);
            }
            walk(member.getValue(), place, isNamed ? "" : name, depth + 1);
        }
    }

    private void addArguments(JsonNode properties, String pointer, JsonNode required) {
        Set<String> names = new HashSet<>();
        required.forEach(name -> names.add(name.asString("")));
        for (Map.Entry<String, JsonNode> property : properties.properties()) {
            if (arguments.size() >= MAX_TEXTS) {
                return;
            }
            String name = property.getKey();
            String place = child(pointer, name);
            arguments.add(new Argument(place, name, property.getValue(), names.contains(name)));
        }
    }

    private void addPromptArgument(JsonNode argument, String pointer) {
        if (argument.path("name").isString()) {
            arguments.add(
                    new Argument(
                            pointer,
                            argument.path("name").asString(),
                            argument,
                            argument.path("required").booleanValue(false)));
        }
    }

    /** Returns the pointer to a member; what no finding could show is cut. */
    static String child(String pointer, String name) {
        if (pointer.length() > DefinitionFinding.LONGEST) {
            return pointer;
        }
        String shown = name.substring(0, Math.min(name.length(), DefinitionFinding.LONGEST));
        return pointer + "/" + shown.replace("~", "~0").replace("/", "~1");
    }

    private static DefinitionText.Role role(String pointer, String keyword) {
        if (pointer.startsWith("/icons/")) {
            return DefinitionText.Role.ICON;
        }
        if (PROSE.contains(keyword)) {
            return DefinitionText.Role.PROSE;
        }
        return NAMES.contains(keyword) ? DefinitionText.Role.NAME : DefinitionText.Role.VALUE;
    }

    private boolean isFull(String pointer) {
        if (texts.size() >= MAX_TEXTS || characters >= MAX_CHARACTERS) {
            leave(pointer);
            return true;
        }
        return false;
    }

    private void leave(String pointer) {
        if (left.isEmpty()) {
            left = pointer.isEmpty() ? "/" : pointer;
        }
    }

    private void add(String pointer, DefinitionText.Role role, String text) {
        if (text.isEmpty() || role == DefinitionText.Role.VALUE && ORDINARY.contains(text)) {
            return;
        }
        String whole = text;
        if (text.length() > MAX_LENGTH && role != DefinitionText.Role.ICON) {
            leave(pointer);
        }
        if (text.length() > MAX_LENGTH) {
            whole = text.substring(0, MAX_LENGTH);
        }
        characters += role == DefinitionText.Role.ICON ? 0 : whole.length();
        texts.add(new DefinitionText(pointer, role, whole));
    }
}
