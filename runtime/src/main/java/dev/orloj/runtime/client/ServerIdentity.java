package dev.orloj.runtime.client;

import dev.orloj.api.approval.ServerDescription;
import dev.orloj.runtime.transport.ProtocolRevision;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The identity of a server from its response to the first request.
 *
 * @param serverInfo as received, unless too large; empty object when absent
 * @param capabilities as received, unless too large; empty object when absent
 * @param instructions empty when absent
 * @param notes one sentence for each omitted part that was too large
 */
public record ServerIdentity(
        String protocolVersion,
        JsonNode serverInfo,
        JsonNode capabilities,
        String instructions,
        List<String> notes) {

    /** The maximum length of the instructions and of each object as JSON. */
    public static final int MAX_CHARACTERS = 64 * 1024;

    public ServerIdentity {
        notes = List.copyOf(notes);
    }

    /** Creates a complete identity. */
    public ServerIdentity(
            String protocolVersion,
            JsonNode serverInfo,
            JsonNode capabilities,
            String instructions) {
        this(protocolVersion, serverInfo, capabilities, instructions, List.of());
    }

    private static final List<String> SHORT_INFO = List.of("name", "title", "version");

    private static final List<String> SHORT_CAPABILITIES =
            List.of("tools", "prompts", "resources", "completions", "logging");

    private static final int MAX_KEPT = 1_024;

    /** The identity before the negotiation. */
    public static final ServerIdentity UNKNOWN =
            new ServerIdentity(
                    "",
                    JsonNodeFactory.instance.objectNode(),
                    JsonNodeFactory.instance.objectNode(),
                    "");

    /**
     * Treats members of the wrong type as absent, and truncates what is too large for the status.
     */
    static ServerIdentity of(
            String protocolVersion,
            JsonNode serverInfo,
            JsonNode capabilities,
            JsonNode instructions) {
        List<String> notes = new ArrayList<>();
        return new ServerIdentity(
                protocolVersion,
                bounded("serverInfo", objectOf(serverInfo), SHORT_INFO, notes),
                bounded("capabilities", objectOf(capabilities), SHORT_CAPABILITIES, notes),
                cut(instructions.isString() ? instructions.asString() : "", notes),
                notes);
    }

    private static JsonNode bounded(
            String member, JsonNode object, List<String> kept, List<String> notes) {
        int length = object.toString().length();
        if (length <= MAX_CHARACTERS) {
            return object;
        }
        ObjectNode rest = JsonNodeFactory.instance.objectNode();
        for (String name : kept) {
            JsonNode value = object.path(name);
            if (!value.isMissingNode() && value.toString().length() <= MAX_KEPT) {
                rest.set(name, value);
            }
        }
        notes.add(
                "%s has %,d characters, and only %s are kept of more than %,d"
                        .formatted(member, length, String.join(", ", kept), MAX_CHARACTERS));
        return rest;
    }

    private static String cut(String text, List<String> notes) {
        if (text.length() <= MAX_CHARACTERS) {
            return text;
        }
        notes.add(
                "instructions have %,d characters and were cut after %,d"
                        .formatted(text.length(), MAX_CHARACTERS));
        boolean splits = Character.isHighSurrogate(text.charAt(MAX_CHARACTERS - 1));
        return text.substring(0, splits ? MAX_CHARACTERS - 1 : MAX_CHARACTERS)
                + "\n[Cut: %,d of %,d characters]".formatted(MAX_CHARACTERS, text.length());
    }

    private static JsonNode objectOf(JsonNode value) {
        return value.isObject() ? value : JsonNodeFactory.instance.objectNode();
    }

    /** Returns the same with another {@code serverInfo} and other instructions. */
    public ServerIdentity describedAs(ServerDescription description) {
        return new ServerIdentity(
                protocolVersion,
                description.info(),
                capabilities,
                description.instructions(),
                notes);
    }

    /** Returns whether the revision begins with {@code initialize}, or is unknown. */
    public boolean hasSessions() {
        return ProtocolRevision.of(protocolVersion).filter(ProtocolRevision::isStateless).isEmpty();
    }

    public boolean hasTools() {
        return capabilities.has("tools");
    }

    /** Returns the lists whose changes the server announces, by the name of their capability. */
    List<String> changingLists() {
        return Stream.of("tools", "prompts", "resources")
                .filter(list -> capabilities.path(list).path("listChanged").booleanValue(false))
                .toList();
    }
}
