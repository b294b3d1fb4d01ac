package dev.orloj.server.mcp;

import dev.orloj.server.mcp.McpProbe.Answer;

import tools.jackson.databind.JsonNode;

/** An agent of a revision with sessions, which has introduced itself. */
public record Agent(McpProbe probe, String session, Answer introduction) {

    public static Agent initialize(McpProbe probe, String revision) {
        return initialize(probe, revision, "{}");
    }

    /**
     * @param capabilities what it can be asked for, as JSON
     */
    public static Agent initialize(McpProbe probe, String revision, String capabilities) {
        Answer answer =
                probe.post(
                        """
                        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params":
                          {"protocolVersion": "%s", "capabilities": %s,
                           "clientInfo": {"name": "test", "version": "1"}}}
                        """
                                .formatted(revision, capabilities));
        return new Agent(probe, answer.header("Mcp-Session-Id"), answer);
    }

    /** Sends a request with the id 1. */
    public Answer ask(String method, String params) {
        return send(request(method, params));
    }

    static String request(String method, String params) {
        return "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"%s\", \"params\": %s}"
                .formatted(method, params);
    }

    Answer send(String body) {
        return probe.post(body, "Mcp-Session-Id", session);
    }

    public Answer call(String tool, String arguments) {
        return ask(
                "tools/call", "{\"name\": \"%s\", \"arguments\": %s}".formatted(tool, arguments));
    }

    /** A call whose answer is read as it comes. */
    public McpProbe.Stream openCall(String tool, String arguments) {
        return probe.open(
                "POST",
                request(
                        "tools/call",
                        "{\"name\": \"%s\", \"arguments\": %s}".formatted(tool, arguments)),
                "Mcp-Session-Id",
                session);
    }

    /** Answers something that was asked of the agent. */
    public Answer answer(JsonNode question, String result) {
        return send(
                "{\"jsonrpc\": \"2.0\", \"id\": %s, \"result\": %s}"
                        .formatted(question.path("id"), result));
    }

    /** The stream of messages that no request asked for. */
    public McpProbe.Stream listen() {
        return probe.open("GET", "", "Mcp-Session-Id", session);
    }
}
