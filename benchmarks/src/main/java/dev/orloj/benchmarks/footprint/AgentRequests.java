package dev.orloj.benchmarks.footprint;

import dev.orloj.api.codec.Json;
import dev.orloj.benchmarks.load.HttpConnection;

import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

/** What agents of revision 2026-07-28 send, ready for the wire. */
final class AgentRequests {

    private static final String REVISION = "2026-07-28";
    private static final String META = "io.modelcontextprotocol/";

    private AgentRequests() {}

    static byte[] listTools(HttpConnection connection, String endpoint) {
        return of(connection, endpoint, "tools/list", Json.MAPPER.createObjectNode());
    }

    /** Opens a stream of notifications about the list of tools. */
    static byte[] listen(HttpConnection connection, String endpoint) {
        ObjectNode params = Json.MAPPER.createObjectNode();
        params.putObject("notifications").put("toolsListChanged", true);
        return of(connection, endpoint, "subscriptions/listen", params);
    }

    private static byte[] of(
            HttpConnection connection, String endpoint, String method, ObjectNode params) {
        ObjectNode meta = params.putObject("_meta");
        meta.put(META + "protocolVersion", REVISION).putObject(META + "clientCapabilities");
        meta.putObject(META + "clientInfo").put("name", "bench").put("version", "1");
        ObjectNode message = Json.MAPPER.createObjectNode();
        message.put("jsonrpc", "2.0").put("id", 1).put("method", method).set("params", params);
        return connection.request(
                "POST",
                endpoint,
                Map.of(
                        "Accept",
                        "application/json, text/event-stream",
                        "Content-Type",
                        "application/json",
                        "Mcp-Protocol-Version",
                        REVISION,
                        "Mcp-Method",
                        method),
                Json.MAPPER.writeValueAsBytes(message));
    }
}
