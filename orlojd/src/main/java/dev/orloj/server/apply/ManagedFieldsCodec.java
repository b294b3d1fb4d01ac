package dev.orloj.server.apply;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Encodes and decodes {@code metadata.managedFields}. */
public final class ManagedFieldsCodec {

    private static final String FORM = "FieldsV1";

    private ManagedFieldsCodec() {}

    public static ArrayNode encode(ManagedFields managed) {
        ArrayNode entries = Json.MAPPER.createArrayNode();
        for (ManagedFields.Entry entry : managed.entries()) {
            Manager manager = entry.manager();
            ObjectNode json = entries.addObject();
            json.put("manager", manager.name());
            json.put("operation", manager.operation().wireName());
            json.put("apiVersion", manager.apiVersion());
            if (!entry.time().isEmpty()) {
                json.put("time", entry.time());
            }
            json.put("fieldsType", FORM);
            json.set("fieldsV1", FieldsV1.encode(entry.fields()));
            if (!manager.subresource().isEmpty()) {
                json.put("subresource", manager.subresource());
            }
        }
        return entries;
    }

    /**
     * Decodes the entries; empty when any of them is invalid, because a partial result would be
     * misleading.
     */
    public static Optional<ManagedFields> decode(JsonNode entries) {
        List<ManagedFields.Entry> decoded = new ArrayList<>();
        try {
            for (JsonNode entry : entries) {
                decoded.add(decodeEntry(entry));
            }
            return Optional.of(ManagedFields.of(decoded));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns whether a client asks to remove all owners: with an empty list, or with one empty
     * entry.
     */
    public static boolean isReset(JsonNode entries) {
        return entries.isArray()
                && (entries.isEmpty() || (entries.size() == 1 && isBlank(entries.path(0))));
    }

    private static boolean isBlank(JsonNode entry) {
        return entry.isObject() && entry.isEmpty();
    }

    private static ManagedFields.Entry decodeEntry(JsonNode entry) {
        Manager manager =
                new Manager(
                        entry.path("manager").asString(""),
                        operation(entry.path("operation").asString("")),
                        entry.path("apiVersion").asString(""),
                        entry.path("subresource").asString(""));
        if (manager.apiVersion().isEmpty()) {
            throw new IllegalArgumentException("apiVersion is missing");
        }
        if (!entry.path("fieldsType").asString("").equals(FORM)) {
            throw new IllegalArgumentException("fieldsType is not " + FORM);
        }
        JsonNode fields = entry.path("fieldsV1");
        return new ManagedFields.Entry(
                manager,
                fields.isMissingNode() || fields.isNull()
                        ? FieldSet.EMPTY
                        : FieldsV1.decode(fields),
                entry.path("time").asString(""));
    }

    private static Manager.Operation operation(String wireName) {
        for (Manager.Operation operation : Manager.Operation.values()) {
            if (operation.wireName().equals(wireName)) {
                return operation;
            }
        }
        throw new IllegalArgumentException("\"" + wireName + "\" is neither Apply nor Update");
    }
}
