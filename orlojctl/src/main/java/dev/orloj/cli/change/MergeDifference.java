package dev.orloj.cli.change;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

/** Computes the merge patch (RFC 7386) that turns one document into another. */
final class MergeDifference {

    private MergeDifference() {}

    static ObjectNode of(ObjectNode before, ObjectNode after) {
        ObjectNode patch = Json.MAPPER.createObjectNode();
        for (String name : before.propertyNames()) {
            if (!after.has(name)) {
                patch.putNull(name);
            }
        }
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            JsonNode old = before.get(field.getKey());
            if (old instanceof ObjectNode inner && field.getValue() instanceof ObjectNode now) {
                ObjectNode part = of(inner, now);
                if (!part.isEmpty()) {
                    patch.set(field.getKey(), part);
                }
            } else if (!field.getValue().equals(old)) {
                patch.set(field.getKey(), field.getValue());
            }
        }
        return patch;
    }
}
