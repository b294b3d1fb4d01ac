package dev.orloj.server.mcp;

import dev.orloj.server.mcp.McpProbe.Answer;

/** An agent of a revision with sessions, which has introduced itself. */
record Agent(McpProbe probe, String session, Answer introduction) {

    static Agent initialize(McpProbe probe, String revision) {
        Answer answer =
                probe.post(
                        """
                        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params":
                          {"protocolVersion": "%s", "capabilities": {},
                           "clientInfo": {"name": "test", "version": "1"}}}
                        """
                                .formatted(revision));
        return new Agent(probe, answer.header("Mcp-Session-Id"), answer);
    }

    /** Sends a request with the id 1. */
    Answer ask(String method, String params) {
        return send(request(method, params));
    }

    static String request(String method, String params) {
        return "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"%s\", \"params\": %s}"
                .formatted(method, params);
    }

    Answer send(String body) {
        return probe.post(body, "Mcp-Session-Id", session);
    }

    Answer call(String tool, String arguments) {
        return ask(
                "tools/call", "{\"name\": \"%s\", \"arguments\": %s}".formatted(tool, arguments));
    }

    /** The stream of what is told unasked. */
    McpProbe.Stream listen() {
        return probe.open("GET", "", "Mcp-Session-Id", session);
    }
}
