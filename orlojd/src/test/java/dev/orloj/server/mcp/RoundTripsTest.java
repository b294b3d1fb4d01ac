package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.server.mcp.McpProbe.Answer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Objects;
import java.util.Set;

/** A server of 2026-07-28 that needs input, and clients that speak the same revision. */
@Timeout(60)
class RoundTripsTest {

    private static final String QUESTION =
            """
            {"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create",\
            "params":{"message":"Who?","requestedSchema":{"type":"object"},"x":1.50}}},\
            "requestState":"opaque \\u00e9","unheard":[1e2]}\
            """;

    private static final String META = "io.modelcontextprotocol/";

    private final McpRig rig = new McpRig();
    private final StatelessAgent agent =
            new StatelessAgent(
                    rig.probe("/mcp"),
                    """
                    {"elicitation": {"form": {}, "odd": 1}, "sampling": {}, "extensions": {"a/b": {}}}\
                    """);

    @BeforeEach
    void serverIsOfTheNewestRevision() {
        rig.servers()
                .on(
                        "server/discover",
                        (connection, params) ->
                                FakeTransports.json(
                                        """
                                        {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                                         "capabilities": {"tools": {}}}\
                                        """))
                .on("tools/call", (connection, params) -> FakeTransports.json(QUESTION))
                .on("prompts/get", (connection, params) -> FakeTransports.json(QUESTION))
                .on("resources/read", (connection, params) -> FakeTransports.json(QUESTION));
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    /** The params of the latest request, as the server got them. */
    private ObjectNode received() {
        return (ObjectNode)
                Objects.requireNonNull(rig.servers().latest().requests().getLast().params());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    tools/call     | github__echo           | "name": "github__echo", "arguments": {}
                    prompts/get    | github__review         | "name": "github__review"
                    resources/read | orloj+github+file:///a | "uri": "orloj+github+file:///a"
                    """)
    void inputRequestComesAsItIs(String method, String subject, String members) {
        Answer answer = agent.ask(method, members, "Mcp-Name", subject);

        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.at("/result"))
                .isEqualTo(FakeTransports.json(QUESTION).toString())
                .contains("opaque \u00e9", "1.50");
    }

    @Test
    void whatTheBridgeRejectsReachesNoAgentThoughTheServerAsks() {
        rig.catalog()
                .putServer(
                        Definitions.withBridge(
                                McpRig.SERVER,
                                new ServerRequestPolicy(Set.of(), Set.of("elicitation"))));

        Answer answer =
                agent.ask(
                        "tools/call",
                        "\"name\": \"github__echo\", \"arguments\": {}",
                        "Mcp-Name",
                        "github__echo");

        assertThat(answer.at("/error/code")).isEqualTo("-32603");
        assertThat(answer.at("/error/message"))
                .isEqualTo(
                        "Server \"github\" asks \"elicitation/create\", which its spec.bridge"
                                + " rejects");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    tools/call     | github__echo           | "name": "github__echo", "arguments": {}
                    prompts/get    | github__review         | "name": "github__review"
                    resources/read | orloj+github+file:///a | "uri": "orloj+github+file:///a"
                    """)
    void answersAndStateOfTheNextRoundReachTheServer(
            String method, String subject, String members) {
        String round =
                """
                "inputResponses":{"who":{"action":"accept","content":{"n":1.50}},"more":null},\
                "requestState":"opaque \u00e9"\
                """;

        agent.ask(method, members + ", " + round, "Mcp-Name", subject);

        ObjectNode params = received();
        assertThat(params.path("inputResponses").toString())
                .isEqualTo(
                        "{\"who\":{\"action\":\"accept\",\"content\":{\"n\":1.50}},\"more\":null}");
        assertThat(params.path("requestState").asString()).isEqualTo("opaque \u00e9");
    }

    @Test
    void whatTheAgentDoesNotSendTheServerDoesNotGet() {
        agent.call("github__echo", "{}");

        assertThat(received().propertyNames())
                .containsExactlyInAnyOrder("name", "arguments", "_meta");
    }

    @Test
    void serverMayAskForWhatThisAgentCanAnswer() {
        agent.call("github__echo", "{}");

        assertThat(declared().toString())
                .isEqualTo(
                        "{\"elicitation\":{\"form\":{},\"odd\":1},\"sampling\":{},\"extensions\":{\"a/b\":{}}}");

        new StatelessAgent(rig.probe("/mcp")).call("github__echo", "{}");

        assertThat(declared().toString()).isEqualTo("{}");
    }

    private JsonNode declared() {
        return received().path("_meta").path(META + "clientCapabilities");
    }
}
