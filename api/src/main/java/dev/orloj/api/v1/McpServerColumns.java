package dev.orloj.api.v1;

import dev.orloj.api.codec.Column;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** The table of McpServers. */
final class McpServerColumns {

    private McpServerColumns() {}

    static Column[] all() {
        return new Column[] {
            Column.text("Transport", "stdio, http or sse", Column.at("/spec/transport")),
            Column.text(
                    "Ready", "Whether its tools can be called", Column.condition(McpServer.READY)),
            Column.text(
                    "Status",
                    "Pending, Connecting, Ready, Error or Suspended",
                    Column.at("/status/phase")),
            Column.integer(
                    "Tools",
                    "How many Tools were made from it",
                    Column.sizeOf("/status/generatedTools")),
            Column.age(
                    "Last Synced", "When the list of tools last changed", "/status/lastSyncedAt"),
            Column.text(
                            "Command",
                            "The program, the image or the endpoint",
                            McpServerColumns::target)
                    .onlyWide(),
            Column.text("Protocol", "The MCP revision in use", Column.at("/status/protocolVersion"))
                    .onlyWide(),
            Column.text("Error", "Why it is not ready", Column.at("/status/lastError")).onlyWide()
        };
    }

    /** What the server is, in one word, for a table. */
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
