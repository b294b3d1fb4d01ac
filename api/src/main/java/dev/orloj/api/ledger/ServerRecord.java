package dev.orloj.api.ledger;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.TreeMap;

/**
 * What runs behind the tools of an McpServer, and what it states about itself. A package or an
 * image can change its code and leave every definition as it was. Contains no secrets.
 *
 * @param fields {@code runs}, and {@code identity} and {@code instructions} once a session was open
 */
public record ServerRecord(ObjectNode fields) {

    /** Reads the document of an McpServer. */
    public static ServerRecord of(JsonNode server) {
        ObjectNode fields = Json.MAPPER.createObjectNode();
        JsonNode status = server.path("status");
        fields.set("runs", runs(server.path("spec"), status.path("sandbox")));
        JsonNode identity = status.path("serverInfo");
        String instructions = status.path("instructions").asString("");
        // A server may state no identity, and have instructions nevertheless.
        if (identity.isObject() || !instructions.isEmpty()) {
            fields.set("identity", identity.isObject() ? identity : Json.MAPPER.createObjectNode());
            fields.put("instructions", instructions);
        }
        return new ServerRecord(fields);
    }

    private static ObjectNode runs(JsonNode spec, JsonNode container) {
        ObjectNode runs = Json.MAPPER.createObjectNode();
        copy(spec, "transport", runs);
        copy(spec, "command", runs);
        CommandLine line = CommandLine.of(spec);
        if (!line.arguments().isEmpty()) {
            line.arguments().forEach(runs.putArray("args")::add);
        }
        line.packageName()
                .ifPresent(
                        name -> {
                            ObjectNode origin = runs.putObject("package");
                            origin.put("name", name);
                            line.packageVersion().ifPresent(v -> origin.put("version", v));
                        });
        copy(spec, "image", runs);
        copy(spec, "sandbox_ref", runs);
        String attached = spec.path("attach").path("container").asString("");
        if (!attached.isEmpty()) {
            runs.put("container", attached);
        }
        String endpoint = spec.path("endpoint").asString("");
        if (!endpoint.isEmpty()) {
            runs.put("origin", CommandLine.origin(endpoint));
        }
        copy(container, "imageId", runs);
        copy(container, "digest", runs);
        return runs;
    }

    private static void copy(JsonNode from, String field, ObjectNode to) {
        String value = from.path(field).asString("");
        if (!value.isEmpty()) {
            to.put(field, value);
        }
    }

    /** Returns whether the server has stated its identity. */
    public boolean hasIdentity() {
        return fields.has("identity");
    }

    public String digest() {
        return CanonicalJson.digest(fields);
    }

    /** Returns the digests of the parts by their names. */
    public Map<String, String> parts() {
        Map<String, String> parts = new TreeMap<>();
        fields.properties().forEach(e -> parts.put(e.getKey(), CanonicalJson.digest(e.getValue())));
        return parts;
    }
}
