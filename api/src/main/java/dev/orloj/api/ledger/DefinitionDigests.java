package dev.orloj.api.ledger;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The digests of the definition of a tool, a prompt, a resource or a template, each of a part of
 * its own, so that a change shows what it touches. Each field is in at least one part.
 *
 * @param whole of the whole definition
 * @param schema the name, the schemas without their texts, and fields that no other part has
 * @param text the title, the description, the texts of the arguments of prompts, and the texts,
 *     defaults, examples and enumerated values in schemas
 * @param annotations absent ones are the same as none
 * @param presentation {@code icons} and {@code _meta}
 */
public record DefinitionDigests(
        String whole, String schema, String text, String annotations, String presentation) {

    private static final Set<String> ARGUMENT_TEXTS = Set.of("title", "description");

    /**
     * @param definition as the server lists it
     */
    public static DefinitionDigests of(ObjectNode definition) {
        ObjectNode schema = Json.MAPPER.createObjectNode();
        ObjectNode text = Json.MAPPER.createObjectNode();
        ObjectNode presentation = Json.MAPPER.createObjectNode();
        SchemaTexts texts = new SchemaTexts();
        JsonNode annotations = Json.MAPPER.createObjectNode();
        boolean isTool = definition.has("inputSchema");
        for (Map.Entry<String, JsonNode> field : definition.properties()) {
            String name = field.getKey();
            JsonNode value = field.getValue();
            switch (name) {
                case "title", "description" -> text.set(name, value);
                case "annotations" -> annotations = value;
                case "icons", "_meta" -> presentation.set(name, value);
                case "inputSchema", "outputSchema" ->
                        schema.set(name, texts.separate(value, "/" + name));
                default -> schema.set(name, value);
            }
        }
        if (!isTool && definition.path("arguments").isArray()) {
            separateArguments(definition.path("arguments"), schema, text);
        }
        text.set("schemas", texts.texts());
        return new DefinitionDigests(
                CanonicalJson.digest(definition),
                CanonicalJson.digest(schema),
                CanonicalJson.digest(text),
                CanonicalJson.digest(annotations),
                CanonicalJson.digest(presentation));
    }

    /** Separates the arguments of a prompt from the texts that describe them. */
    private static void separateArguments(JsonNode arguments, ObjectNode schema, ObjectNode text) {
        ArrayNode bare = schema.putArray("arguments");
        ArrayNode texts = text.putArray("arguments");
        for (JsonNode argument : arguments) {
            if (argument instanceof ObjectNode object) {
                ObjectNode described = object.deepCopy();
                bare.add(described.deepCopy().without(ARGUMENT_TEXTS));
                texts.add(described.retain(ARGUMENT_TEXTS));
            } else {
                bare.add(argument);
            }
        }
    }

    /**
     * Returns the digest of a definition without its name and title, by which a renamed tool is
     * recognised.
     */
    public static String ofNameless(ObjectNode definition) {
        ObjectNode nameless = Json.MAPPER.createObjectNode();
        definition
                .properties()
                .forEach(
                        field -> {
                            if (!field.getKey().equals("name") && !field.getKey().equals("title")) {
                                nameless.set(field.getKey(), field.getValue());
                            }
                        });
        return CanonicalJson.digest(nameless);
    }

    /** Returns the digests of the parts by their names. */
    public Map<String, String> parts() {
        Map<String, String> parts = new TreeMap<>();
        parts.put("annotations", annotations);
        parts.put("presentation", presentation);
        parts.put("schema", schema);
        parts.put("text", text);
        return parts;
    }
}
