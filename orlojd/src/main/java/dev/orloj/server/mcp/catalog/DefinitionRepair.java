package dev.orloj.server.mcp.catalog;

import dev.orloj.api.codec.Json;

import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Repairs definitions that the schema of MCP does not permit. Clients check a whole list at once,
 * and refuse all of it because of one definition: in a namespace, one such tool of one server would
 * cost an agent the tools of all servers. A definition that the schema permits stays as the server
 * sent it.
 *
 * <p>A member of a wrong type, such as null, is left out. An input schema gets {@code "type":
 * "object"}, since arguments are always an object.
 */
final class DefinitionRepair {

    private static final String INPUT = "inputSchema";
    private static final String OUTPUT = "outputSchema";
    private static final String ANNOTATIONS = "annotations";
    private static final String ARGUMENTS = "arguments";
    private static final String PROPERTIES = "properties";
    private static final String REQUIRED = "required";
    private static final String TYPE = "type";
    private static final String OBJECT = "object";
    private static final String NAME = "name";
    private static final String REF = "$ref";
    private static final String PATTERN = "pattern";

    /** The characters after a backslash that ECMAScript permits with the flag {@code u}. */
    private static final String ESCAPED = "^$\\.*+?()[]{}|/-dDwWsSbBfnrtvcxukpP0123456789";

    /** A group that ECMAScript does not have. */
    private static final Pattern FOREIGN_GROUP = Pattern.compile("\\(\\?(?![:=!]|<[=!\\w$])");

    /** The members of JSON Schema whose values are data. */
    private static final Set<String> DATA = Set.of("const", "enum", "default", "examples");

    private static final Map<String, Predicate<JsonNode>> OF_ALL =
            Map.of(
                    "title",
                    JsonNode::isString,
                    "description",
                    JsonNode::isString,
                    "mimeType",
                    JsonNode::isString,
                    "size",
                    JsonNode::isNumber,
                    "icons",
                    DefinitionRepair::areIcons,
                    "execution",
                    DefinitionRepair::isExecution,
                    ANNOTATIONS,
                    JsonNode::isObject,
                    "_meta",
                    JsonNode::isObject,
                    OUTPUT,
                    JsonNode::isObject,
                    ARGUMENTS,
                    JsonNode::isArray);

    private static final Map<String, Predicate<JsonNode>> OF_ANNOTATIONS =
            Map.of(
                    "title",
                    JsonNode::isString,
                    "readOnlyHint",
                    JsonNode::isBoolean,
                    "destructiveHint",
                    JsonNode::isBoolean,
                    "idempotentHint",
                    JsonNode::isBoolean,
                    "openWorldHint",
                    JsonNode::isBoolean,
                    "audience",
                    DefinitionRepair::areStrings,
                    "priority",
                    JsonNode::isNumber,
                    "lastModified",
                    JsonNode::isString);

    private static final Map<String, Predicate<JsonNode>> OF_ARGUMENT =
            Map.of(
                    "title",
                    JsonNode::isString,
                    "description",
                    JsonNode::isString,
                    REQUIRED,
                    JsonNode::isBoolean);

    private static final Map<String, Predicate<JsonNode>> OF_ICON =
            Map.of(
                    "src",
                    JsonNode::isString,
                    "mimeType",
                    JsonNode::isString,
                    "sizes",
                    DefinitionRepair::areStrings,
                    "theme",
                    JsonNode::isString);

    private static final Map<String, Predicate<JsonNode>> OF_SCHEMA =
            Map.of(PROPERTIES, JsonNode::isObject, REQUIRED, DefinitionRepair::areStrings);

    private DefinitionRepair() {}

    /** Returns the definition of a tool; the same one if it is sound. */
    static ObjectNode tool(ObjectNode definition) {
        ObjectNode sound = members(definition);
        ObjectNode input = inputSchema(sound.path(INPUT));
        sound = with(sound, INPUT, input);
        if (sound.path(OUTPUT) instanceof ObjectNode output) {
            sound =
                    compiles(output)
                            ? with(sound, OUTPUT, schema(output))
                            : copy(sound).without(OUTPUT);
        }
        return sound;
    }

    /**
     * Returns the definition of a prompt, resource or template; the same one if it is sound.
     *
     * @param key the member that identifies it
     */
    static ObjectNode feature(ObjectNode definition, String key) {
        ObjectNode sound = members(definition);
        if (!sound.path(NAME).isString()) {
            sound = with(sound, NAME, sound.path(key));
        }
        if (sound.path(ARGUMENTS).isEmpty()) {
            return sound;
        }
        List<JsonNode> arguments =
                sound.path(ARGUMENTS)
                        .valueStream()
                        .filter(argument -> argument.path(NAME).isString())
                        .<JsonNode>map(argument -> without((ObjectNode) argument, OF_ARGUMENT))
                        .toList();
        return with(sound, ARGUMENTS, Json.MAPPER.createArrayNode().addAll(arguments));
    }

    private static ObjectNode members(ObjectNode definition) {
        ObjectNode sound = without(definition, OF_ALL);
        return sound.path(ANNOTATIONS) instanceof ObjectNode annotations
                ? with(sound, ANNOTATIONS, without(annotations, OF_ANNOTATIONS))
                : sound;
    }

    private static ObjectNode inputSchema(JsonNode schema) {
        ObjectNode sound =
                schema instanceof ObjectNode object
                        ? schema(object)
                        : Json.MAPPER.createObjectNode();
        return sound.path(TYPE).asString("").equals(OBJECT) ? sound : copy(sound).put(TYPE, OBJECT);
    }

    /**
     * Repairs what clients check of a schema: that its properties have schemas that are objects.
     */
    private static ObjectNode schema(ObjectNode schema) {
        ObjectNode sound = without(schema, OF_SCHEMA);
        if (!(sound.path(PROPERTIES) instanceof ObjectNode properties)
                || properties.valueStream().allMatch(JsonNode::isObject)) {
            return sound;
        }
        ObjectNode objects = copy(properties);
        for (Map.Entry<String, JsonNode> property : properties.properties()) {
            if (!property.getValue().isObject()) {
                ObjectNode same = objects.putObject(property.getKey());
                if (property.getValue().isBoolean() && !property.getValue().booleanValue()) {
                    same.putObject("not");
                }
            }
        }
        return with(sound, PROPERTIES, objects);
    }

    /**
     * Returns whether clients can compile a schema: each reference leads to a place in it, and
     * patterns are those of ECMAScript. They compile the output schemas of a list, and fail at any
     * other. A schema with several bases is not examined.
     */
    private static boolean compiles(ObjectNode schema) {
        return compiles(schema, schema) || !schema.findValues("$id").isEmpty();
    }

    private static boolean compiles(JsonNode node, ObjectNode root) {
        if (node.path(REF).isString() && !leadsInside(node.path(REF).asString(), root)
                || node.path(PATTERN).isString() && isForeign(node.path(PATTERN).asString())) {
            return false;
        }
        if (node.isArray()) {
            return node.valueStream().allMatch(each -> compiles(each, root));
        }
        return node.propertyStream()
                .allMatch(
                        member ->
                                DATA.contains(member.getKey())
                                        || compiles(member.getValue(), root));
    }

    private static boolean isForeign(String pattern) {
        boolean isInClass = false;
        for (int i = 0; i < pattern.length(); i++) {
            switch (pattern.charAt(i)) {
                case '\\' -> {
                    i++;
                    char escaped = i < pattern.length() ? pattern.charAt(i) : ' ';
                    if (ESCAPED.indexOf(escaped) < 0 || escaped == '-' && !isInClass) {
                        return true;
                    }
                }
                case '[' -> isInClass = true;
                case ']' -> isInClass = false;
                case '(' -> {
                    if (!isInClass
                            && FOREIGN_GROUP
                                    .matcher(pattern)
                                    .region(i, pattern.length())
                                    .lookingAt()) {
                        return true;
                    }
                }
                default -> {}
            }
        }
        return false;
    }

    private static boolean leadsInside(String reference, ObjectNode root) {
        if (!reference.startsWith("#")) {
            return false;
        }
        if (!reference.startsWith("#/")) {
            return true; // the root, or an anchor
        }
        try {
            String encoded = reference.substring(1).replace("+", "%2B");
            String pointer = URLDecoder.decode(encoded, StandardCharsets.UTF_8);
            return !root.at(JsonPointer.compile(pointer)).isMissingNode();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean areIcons(JsonNode node) {
        return node.isArray()
                && node.valueStream()
                        .allMatch(
                                icon ->
                                        icon instanceof ObjectNode object
                                                && object.has("src")
                                                && without(object, OF_ICON) == object);
    }

    private static boolean isExecution(JsonNode node) {
        JsonNode support = node.path("taskSupport");
        return node.isObject()
                && (support.isMissingNode()
                        || Set.of("forbidden", "optional", "required")
                                .contains(support.asString("")));
    }

    private static boolean areStrings(JsonNode node) {
        return node.isArray() && node.valueStream().allMatch(JsonNode::isString);
    }

    /** Returns an object without the members that fail their test; the same one if none does. */
    private static ObjectNode without(
            ObjectNode object, Map<String, Predicate<JsonNode>> permitted) {
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            Predicate<JsonNode> type = permitted.get(member.getKey());
            if (type != null && !type.test(member.getValue())) {
                wrong.add(member.getKey());
            }
        }
        return wrong.isEmpty() ? object : copy(object).without(wrong);
    }

    private static ObjectNode with(ObjectNode object, String member, JsonNode value) {
        return value.equals(object.get(member)) ? object : copy(object).set(member, value);
    }

    /** Returns a shallow copy: the original belongs to the catalogue. */
    private static ObjectNode copy(ObjectNode original) {
        return Json.MAPPER.createObjectNode().setAll(original);
    }
}
