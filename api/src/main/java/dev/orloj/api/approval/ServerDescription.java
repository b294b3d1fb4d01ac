package dev.orloj.api.approval;

import dev.orloj.api.codec.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a server says of itself. Its instructions are a definition, and its {@code serverInfo} is
 * another one.
 *
 * @param info an object, empty if the server has stated nothing
 * @param instructions empty if there are none
 */
public record ServerDescription(ObjectNode info, String instructions) {

    /** The definitions that a description can have. */
    public static final List<DefinitionName> NAMES =
            List.of(DefinitionName.INSTRUCTIONS, DefinitionName.SERVER_INFO);

    /** They change with each release, and are no part of the definition. */
    private static final Set<String> PRESENTATION = Set.of("version", "icons", "_meta");

    private static final String TEXT = "instructions";

    /**
     * @param info anything but an object is none
     */
    public static ServerDescription of(@Nullable JsonNode info, String instructions) {
        return new ServerDescription(
                info instanceof ObjectNode object ? object : Json.MAPPER.createObjectNode(),
                instructions);
    }

    /** Reads the status of an McpServer, which has what is served. */
    public static ServerDescription ofStatus(JsonNode status) {
        return of(status.path("serverInfo"), status.path(TEXT).asString(""));
    }

    /** Returns a definition; empty if the server states nothing of the kind. */
    public Optional<ObjectNode> definition(DefinitionName name) {
        return switch (name.kind()) {
            case TOOL, PROMPT, TEMPLATE, RESOURCE, RUNS -> Optional.empty();
            case INSTRUCTIONS ->
                    instructions.isEmpty()
                            ? Optional.empty()
                            : Optional.of(Json.MAPPER.createObjectNode().put(TEXT, instructions));
            case SERVER_INFO -> Optional.of(stated()).filter(stated -> !stated.isEmpty());
        };
    }

    private ObjectNode stated() {
        ObjectNode stated = Json.MAPPER.createObjectNode();
        for (var field : info.properties()) {
            if (!PRESENTATION.contains(field.getKey())) {
                stated.set(field.getKey(), field.getValue());
            }
        }
        return stated;
    }

    /** Returns the same with another definition; empty withholds it. */
    public ServerDescription with(DefinitionName name, Optional<ObjectNode> definition) {
        return switch (name.kind()) {
            case TOOL, PROMPT, TEMPLATE, RESOURCE, RUNS -> this;
            case INSTRUCTIONS ->
                    new ServerDescription(
                            info, definition.map(d -> d.path(TEXT).asString("")).orElse(""));
            case SERVER_INFO ->
                    new ServerDescription(
                            definition.map(this::withPresentation).orElseGet(this::nothing),
                            instructions);
        };
    }

    private ObjectNode withPresentation(ObjectNode stated) {
        ObjectNode whole = Json.MAPPER.createObjectNode();
        whole.setAll(stated);
        for (var field : info.properties()) {
            if (PRESENTATION.contains(field.getKey())) {
                whole.set(field.getKey(), field.getValue());
            }
        }
        return whole;
    }

    private ObjectNode nothing() {
        return Json.MAPPER.createObjectNode();
    }
}
