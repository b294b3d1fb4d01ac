package dev.orloj.api.v1;

import dev.orloj.api.codec.Column;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;

/** The table of McpServers. */
final class McpServerColumns {

    /** The text before the progress in the message of the condition. */
    private static final String PULLED = "pulled: ";

    private McpServerColumns() {}

    static Column[] all() {
        return new Column[] {
            Column.text("Transport", "stdio, http or sse", Column.at("/spec/transport")),
            Column.text(
                    "Ready", "Whether its tools can be called", Column.condition(McpServer.READY)),
            Column.text(
                            "Status",
                            "Pending, Connecting, Ready, Error or Suspended, or how far its image"
                                    + " is",
                            McpServerColumns::state)
                    .near(".status.phase"),
            Column.integer("Tools", "How many Tools were made from it", McpServerColumns::tools)
                    .near(".status.toolCount"),
            Column.age(
                    "Last Synced",
                    "When the tools were last listed and written",
                    "/status/lastSyncedAt"),
            Column.text(
                            "Command",
                            "The program, the image or the endpoint",
                            McpServerColumns::target)
                    .near(".spec.command")
                    .onlyWide(),
            Column.text("Protocol", "The MCP revision in use", Column.at("/status/protocolVersion"))
                    .onlyWide(),
            Column.text("Error", "Why it is not ready", Column.at("/status/lastError")).onlyWide()
        };
    }

    /**
     * Returns the phase, or the pull progress if only the image is missing. As {@code
     * Ready,SchedulingDisabled} of a Node, {@code Ready,Quarantined} says that not all is served.
     */
    private static Object state(ObjectNode document) {
        String phase = document.at("/status/phase").asString("");
        return switch (phase) {
            case "Connecting" -> pull(document).orElse(phase);
            case "Ready" -> phase + notServed(document).map(reason -> "," + reason).orElse("");
            default -> phase;
        };
    }

    private static Optional<String> notServed(ObjectNode document) {
        return condition(document, McpServer.TOOLS_APPROVED)
                .filter(condition -> condition.path("status").asString("").equals("False"))
                .map(condition -> condition.path("reason").asString(""));
    }

    private static Optional<JsonNode> condition(ObjectNode document, String type) {
        return document.at("/status/conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asString("").equals(type))
                .findFirst();
    }

    private static Object tools(ObjectNode document) {
        int listed = document.at("/status/generatedTools").size();
        return Math.max(document.at("/status/toolCount").asInt(0), listed);
    }

    /** Returns {@code Pulling 12 of 80 MB} during an image pull. */
    private static Optional<String> pull(ObjectNode document) {
        return condition(document, McpServer.IMAGE_PULLED)
                .filter(each -> each.path("reason").asString("").equals(McpServer.PULLING))
                .map(each -> each.path("message").asString(""))
                .map(message -> McpServer.PULLING + progress(message));
    }

    private static String progress(String message) {
        int start = message.lastIndexOf(PULLED);
        return start < 0 ? "" : " " + message.substring(start + PULLED.length());
    }

    /** Returns the image, the command, or the endpoint of the server, for a table. */
    static String target(ObjectNode document) {
        for (String pointer : List.of("/spec/image", "/spec/command", "/spec/endpoint")) {
            String text = (String) Column.at(pointer).apply(document);
            if (!text.isEmpty()) {
                return text;
            }
        }
        return "";
    }
}
