package dev.orloj.server.openapi;

import dev.orloj.server.protobuf.MessageWriter;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

/**
 * Encodes the definitions of a Swagger document in the protobuf format of gnostic ({@code
 * openapi.v2.Document}), which clients written in Go request. The field numbers are those of the
 * published {@code OpenAPIv2.proto}.
 */
public final class GnosticDocument {

    private GnosticDocument() {}

    public static byte[] of(ObjectNode swagger) {
        MessageWriter definitions = new MessageWriter();
        for (Map.Entry<String, JsonNode> entry : swagger.path("definitions").properties()) {
            definitions.message(1, named(entry.getKey(), schema(entry.getValue())));
        }
        MessageWriter info =
                new MessageWriter()
                        .text(1, swagger.at("/info/title").asString())
                        .text(2, swagger.at("/info/version").asString());
        return new MessageWriter()
                .text(1, swagger.path("swagger").asString())
                .message(2, info)
                .message(8, new MessageWriter())
                .message(9, definitions)
                .toByteArray();
    }

    private static MessageWriter schema(JsonNode schema) {
        MessageWriter out = new MessageWriter();
        schema.properties().forEach(entry -> writeField(out, entry.getKey(), entry.getValue()));
        return out;
    }

    private static void writeField(MessageWriter out, String name, JsonNode value) {
        switch (name) {
            case "$ref" -> out.text(1, value.asString());
            case "format" -> out.text(2, value.asString());
            case "description" -> out.text(4, value.asString());
            case "default" -> out.message(5, any(value));
            case "maximum" -> out.decimal(7, value.asDouble());
            case "minimum" -> out.decimal(9, value.asDouble());
            case "maxLength" -> out.number(11, value.asLong());
            case "minLength" -> out.number(12, value.asLong());
            case "pattern" -> out.text(13, value.asString());
            case "maxItems" -> out.number(14, value.asLong());
            case "minItems" -> out.number(15, value.asLong());
            case "required" -> value.forEach(field -> out.text(19, field.asString()));
            case "enum" -> value.forEach(choice -> out.message(20, any(choice)));
            case "additionalProperties" -> {
                if (value.isObject()) {
                    out.message(21, new MessageWriter().message(1, schema(value)));
                }
            }
            case "type" -> out.message(22, new MessageWriter().text(1, value.asString()));
            case "items" -> out.message(23, new MessageWriter().message(1, schema(value)));
            case "properties" -> out.message(25, properties(value));
            default -> {
                if (name.startsWith("x-")) {
                    out.message(31, named(name, any(value)));
                }
            }
        }
    }

    private static MessageWriter properties(JsonNode properties) {
        MessageWriter out = new MessageWriter();
        for (Map.Entry<String, JsonNode> entry : properties.properties()) {
            out.message(1, named(entry.getKey(), schema(entry.getValue())));
        }
        return out;
    }

    private static MessageWriter named(String name, MessageWriter value) {
        return new MessageWriter().text(1, name).message(2, value);
    }

    /** Encodes a value of any type as YAML, of which JSON is a subset. */
    private static MessageWriter any(JsonNode value) {
        return new MessageWriter().text(2, value.toString());
    }
}
