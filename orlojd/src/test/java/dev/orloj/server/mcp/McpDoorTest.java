package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.mcp.McpProbe.Answer;
import dev.orloj.server.mcp.protocol.JsonRpcRequestBody;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What does not get in, in any revision. */
@Timeout(60)
class McpDoorTest {

    private static final String BOTH = "application/json, text/event-stream";
    private static final String PING = Agent.request("ping", "{}");

    private final McpRig rig = new McpRig();

    @AfterEach
    void stop() {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/mcp/nowhere",
                "/mcp/default/mcpservers/absent",
                "/mcp/default/mcpservers",
                "/mcp/default/else/github",
                "/mcp/default/mcpservers/github/more"
            })
    void whatIsNotThereIsNotFound(String path) {
        Answer answer = rig.probe(path).post(PING);

        assertThat(answer.code()).isEqualTo(404);
        assertThat(answer.at("/error/message")).contains("/mcp/NAMESPACE/mcpservers/NAME");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    application/json; charset=utf-8 | application/json, text/event-stream | 400
                    application/json                | */*                                 | 400
                    application/json                | application/*, text/*;q=0.5         | 400
                    text/plain                      | application/json, text/event-stream | 415
                    application/json                | application/json                    | 406
                    application/json                | text/event-stream                   | 406
                    """)
    void bothKindsOfAnswersMustBeAccepted(String type, String accept, int code) {
        Answer answer =
                rig.probe("/mcp").send("POST", PING, "Content-Type", type, "Accept", accept);

        assertThat(answer.code()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"jsonrpc": "2.0", "id": 1,                                    | -32700
                    ''                                                             | -32700
                    "text"                                                         | -32600
                    []                                                             | -32600
                    {"id": 1, "method": "ping"}                                    | -32600
                    {"jsonrpc": "2.0", "id": {}, "method": "ping"}                 | -32600
                    {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}    | -32602
                    """)
    void whatIsNoMessageIsRefused(String body, String code) {
        Answer answer = rig.probe("/mcp").post(body);

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.at("/error/code")).isEqualTo(code);
    }

    @Test
    void messageIsOnlySoLong() {
        String long_ =
                Agent.request(
                        "ping",
                        "{\"x\": \"%s\"}".formatted("x".repeat(JsonRpcRequestBody.MAX_BYTES)));

        Answer answer = rig.probe("/mcp").post(long_);

        assertThat(answer.code()).isEqualTo(413);
    }

    @Test
    void streamIsOnlyForThoseWhoTakeStreams() {
        Agent agent = rig.agent("/mcp", "2025-11-25");

        Answer answer =
                agent.probe()
                        .send(
                                "GET",
                                "",
                                "Accept",
                                "application/json",
                                "Mcp-Session-Id",
                                agent.session());

        assertThat(answer.code()).isEqualTo(406);
        assertThat(rig.probe("/mcp").send("GET", "", "Accept", BOTH).code()).isEqualTo(400);
    }
}
