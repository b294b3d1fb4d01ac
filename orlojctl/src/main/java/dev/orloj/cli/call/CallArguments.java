package dev.orloj.cli.call;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.FileErrors;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Converts {@code key=value} arguments to JSON, according to the types in the tool's schema. */
final class CallArguments {

    private final JsonNode root;

    CallArguments(JsonNode schema) {
        this.root = schema;
    }

    ObjectNode parse(List<String> given) {
        ObjectNode arguments = Json.MAPPER.createObjectNode();
        for (String argument : given) {
            int sign = argument.indexOf('=');
            if (sign < 1) {
                throw new UsageException("--arg \"" + argument + "\" is not of the form KEY=VALUE");
            }
            put(arguments, argument.substring(0, sign), argument.substring(sign + 1));
        }
        return arguments;
    }

    private void put(ObjectNode arguments, String key, String given) {
        ArgumentPath path = ArgumentPath.parse(key, root.path("properties"));
        JsonNode schema = path.schema(root);
        boolean isFile = given.startsWith("@") && !given.startsWith("@@");
        String text = isFile ? file(given.substring(1)) : given.replaceFirst("^@@", "@");
        JsonNode json = isFile ? null : json(text);
        JsonNode parent = path.parent(arguments);
        if (!(parent instanceof ObjectNode owner)) {
            ArrayNode list = (ArrayNode) parent;
            int index = Integer.parseInt(path.last());
            if (index < list.size()) {
                throw new UsageException("--arg " + key + " is given twice");
            }
            list.add(isFile ? textNode(text) : value(schema, text));
            return;
        }
        if (types(schema).contains("array") && (json == null || !json.isArray())) {
            // A repeated argument collects the elements of a list.
            ArrayNode list =
                    owner.get(path.last()) instanceof ArrayNode started
                            ? started
                            : owner.putArray(path.last());
            list.add(isFile ? textNode(text) : value(schema.path("items"), text));
            return;
        }
        if (owner.has(path.last())) {
            throw new UsageException("--arg " + key + " is given twice");
        }
        owner.set(path.last(), isFile ? fileValue(schema, text) : value(schema, text));
    }

    /** A file has a document where the schema wants one, and text elsewhere. */
    private static JsonNode fileValue(JsonNode schema, String text) {
        Set<String> types = types(schema);
        return types.contains("object") || types.contains("array")
                ? value(schema, text)
                : textNode(text);
    }

    private static JsonNode textNode(String text) {
        return Json.MAPPER.getNodeFactory().stringNode(text);
    }

    /** Reads a file as text, or as base64 where it is no text. */
    private static String file(String name) {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(Path.of(name));
        } catch (IOException | InvalidPathException e) {
            throw new CommandException(
                    "cannot read \"%s\": %s; for a text that begins with @, write @@"
                            .formatted(name, FileErrors.reason(e)));
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            return Base64.getEncoder().encodeToString(bytes);
        }
    }

    /**
     * Returns the text parsed as JSON if the schema allows its type, otherwise the text as a
     * string.
     */
    private static JsonNode value(JsonNode schema, String text) {
        JsonNode json = json(text);
        Set<String> types = types(schema);
        boolean isWanted = json != null && (types.isEmpty() || types.contains(typeOf(json)));
        boolean isNumber = json != null && json.isIntegralNumber() && types.contains("number");
        return json != null && (isWanted || isNumber)
                ? json
                : Json.MAPPER.getNodeFactory().stringNode(text);
    }

    private static @Nullable JsonNode json(String text) {
        try {
            JsonNode json = text.isBlank() ? null : Json.MAPPER.readTree(text);
            // Quotes in the argument are part of the text, unless the schema allows no other type.
            return json == null || json.isMissingNode() ? null : json;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static Set<String> types(JsonNode schema) {
        JsonNode type = schema.path("type");
        Set<String> types = new HashSet<>();
        if (type.isString()) {
            types.add(type.asString());
        }
        type.forEach(one -> types.add(one.asString("")));
        return types;
    }

    private static String typeOf(JsonNode json) {
        return switch (json.getNodeType()) {
            case OBJECT, POJO -> "object";
            case ARRAY -> "array";
            case NUMBER -> json.isIntegralNumber() ? "integer" : "number";
            case BOOLEAN -> "boolean";
            case NULL, MISSING -> "null";
            case STRING, BINARY -> "text in quotes"; // never a type: the quotes are intentional
        };
    }
}
