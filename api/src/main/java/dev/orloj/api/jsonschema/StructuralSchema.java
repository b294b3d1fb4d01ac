package dev.orloj.api.jsonschema;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;
import dev.orloj.api.GoDuration;
import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

/**
 * A schema as Kubernetes has them, which JSON Schema cannot read as it is: its extensions mean
 * nothing there, some of its formats mean something else, and unknown fields are allowed.
 */
record StructuralSchema(JsonNode root) {

    private static final String EXTENSION = "x-";
    private static final String ANY_FIELDS = "x-kubernetes-preserve-unknown-fields";
    private static final String LIST_TYPE = "x-kubernetes-list-type";

    ObjectNode toJsonSchema() {
        return convert(root);
    }

    private static ObjectNode convert(JsonNode schema) {
        ObjectNode converted = Json.MAPPER.createObjectNode();
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            JsonNode value = keyword.getValue();
            switch (keyword.getKey()) {
                case "properties" -> {
                    ObjectNode properties = converted.putObject("properties");
                    value.propertyStream()
                            .forEach(p -> properties.set(p.getKey(), convert(p.getValue())));
                }
                case "items", "additionalProperties" ->
                        converted.set(keyword.getKey(), convert(value));
                case "format" -> format(converted, value.asString(""));
                default -> {
                    if (!keyword.getKey().startsWith(EXTENSION)) {
                        converted.set(keyword.getKey(), value.deepCopy());
                    }
                }
            }
        }
        if (schema.path(LIST_TYPE).asString("").equals("set")) {
            converted.put("uniqueItems", true);
        }
        if (schema.path("properties").isObject()
                && schema.path("additionalProperties").isMissingNode()
                && !schema.path(ANY_FIELDS).asBoolean(false)) {
            converted.put("additionalProperties", false);
        }
        return converted;
    }

    private static void format(ObjectNode converted, String format) {
        switch (format) {
            case "duration" ->
                    converted
                            .put("pattern", GoDuration.REGEX)
                            .put("patternErrorMessage", GoDuration.EXPECTED);
            case "size" ->
                    converted
                            .put("pattern", ByteSize.REGEX)
                            .put("patternErrorMessage", ByteSize.EXPECTED);
            case "cpus" ->
                    converted
                            .put("pattern", CpuAmount.REGEX)
                            .put("patternErrorMessage", CpuAmount.EXPECTED);
            case "int32" -> {
                if (!converted.has("maximum")) {
                    converted.put("maximum", Integer.MAX_VALUE);
                }
            }
            case "byte" -> converted.put("contentEncoding", "base64");
            case "date-time" -> converted.put("format", format);
            default -> {} // int64: a number of JSON has no size
        }
    }
}
