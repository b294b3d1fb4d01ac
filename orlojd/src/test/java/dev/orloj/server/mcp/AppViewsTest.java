package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** MCP Apps, and whatever extension else, of servers and clients. */
@Timeout(60)
@DisplayName("H-31")
class AppViewsTest {

    private static final String ONE_SERVER = "/mcp/default/mcpservers/github";
    private static final String UI = "io.modelcontextprotocol/ui";
    private static final ServerDefinition ZOO = Definitions.server("zoo");

    private static final String TOOL =
            """
            {"name":"show","inputSchema":{"type":"object"},"_meta":{"ui":\
            {"resourceUri":"ui://clock/view.html","visibility":["model"]},\
            "ui/resourceUri":"ui://clock/view.html","openai/outputTemplate":"ui://clock/view.html",\
            "x":1.50}}\
            """;

    private static final String RESULT =
            """
            {"content":[{"type":"resource_link","uri":"ui://clock/view.html","name":"a"},\
            {"type":"resource","resource":{"uri":"ui://clock/view.html","text":"<p>"}},\
            {"type":"text","text":"ui://clock/view.html"}],\
            "structuredContent":{"uri":"ui://clock/view.html"},\
            "_meta":{"ui":{"resourceUri":"ui://clock/view.html"}}}\
            """;

    private final McpRig rig = new McpRig();

    @BeforeEach
    void twoServersHaveTheSameView() {
        rig.catalog().putServer(ZOO);
        for (ResourceKey server : new ResourceKey[] {McpRig.SERVER.server(), ZOO.server()}) {
            rig.putTool(server, TOOL);
            declare(server, "{\"%s\":{\"mimeTypes\":[\"text/%s\"]}}".formatted(UI, server.name()));
        }
        rig.servers()
                .on("tools/call", (c, params) -> json(RESULT))
                .on(
                        "resources/list",
                        (c, params) ->
                                json(
                                        "{\"resources\":[{\"uri\":\"ui://clock/view.html\",\"name\":\"a\"}]}"))
                .on(
                        "resources/templates/list",
                        (c, params) ->
                                json(
                                        "{\"resourceTemplates\":[{\"uriTemplate\":\"ui://clock/{view}\",\"name\":\"t\"}]}"))
                .on(
                        "resources/read",
                        (c, params) ->
                                json(
                                        "{\"contents\":[{\"uri\":\"%s\",\"text\":\"%s\"}]}"
                                                .formatted(
                                                        params.path("uri").asString(),
                                                        c.address())));
    }

    private void declare(ResourceKey server, String extensions) {
        rig.catalog()
                .putIdentity(
                        server,
                        new ServerIdentity(
                                "2025-11-25",
                                json("{}"),
                                json(
                                        "{\"tools\":{},\"resources\":{},\"extensions\":%s}"
                                                .formatted(extensions)),
                                ""));
    }

    private static JsonNode json(String text) {
        return FakeTransports.json(text);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void viewsOfANamespaceKeepTheirSchemeInToolsListsAndTemplates() {
        Agent agent = rig.agent("/mcp", "2025-11-25");

        assertThat(agent.ask("tools/list", "{}").at("/result/tools/2/_meta"))
                .isEqualTo(
                        """
                        {"ui":{"resourceUri":"ui://zoo/clock/view.html","visibility":["model"]},\
                        "ui/resourceUri":"ui://zoo/clock/view.html",\
                        "openai/outputTemplate":"ui://zoo/clock/view.html","x":1.50}\
                        """);
        assertThat(agent.ask("resources/list", "{}").at("/result/resources"))
                .isEqualTo(
                        """
                        [{"uri":"ui://github/clock/view.html","name":"a"},\
                        {"uri":"ui://zoo/clock/view.html","name":"a"}]\
                        """);
        assertThat(agent.ask("resources/templates/list", "{}").at("/result/resourceTemplates"))
                .isEqualTo(
                        """
                        [{"uriTemplate":"ui://github/clock/{view}","name":"t"},\
                        {"uriTemplate":"ui://zoo/clock/{view}","name":"t"}]\
                        """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"github", "zoo"})
    void viewIsReadFromTheServerWhoseToolLinksToIt(String server) {
        String uri = "ui://%s/clock/view.html".formatted(server);

        assertThat(
                        rig.agent("/mcp", "2025-11-25")
                                .ask("resources/read", "{\"uri\": \"%s\"}".formatted(uri))
                                .at("/result/contents/0"))
                .contains("\"uri\":\"" + uri + "\"", server);
    }

    @Test
    void viewThatNoServerOfTheEndpointCanHaveIsUnknown() {
        Agent agent = rig.agent("/mcp", "2025-11-25");

        for (String uri : new String[] {"ui://clock", "ui://"}) {
            assertThat(
                            agent.ask("resources/read", "{\"uri\": \"%s\"}".formatted(uri))
                                    .at("/error/message"))
                    .isEqualTo("Unknown: \"%s\"".formatted(uri));
        }
        assertThat(
                        agent.ask("resources/read", "{\"uri\": \"ui://clock/view.html\"}")
                                .at("/error/message"))
                .startsWith("Server \"clock\" is unavailable: it is not there");
    }

    @Test
    void resultsLinkToViewsThatCanBeRead() {
        assertThat(rig.agent("/mcp", "2025-11-25").call("zoo__show", "{}").at("/result"))
                .isEqualTo(
                        RESULT.replace(
                                        "\"uri\":\"ui://clock/view.html\",",
                                        "\"uri\":\"ui://zoo/clock/view.html\",")
                                .replace(
                                        "resourceUri\":\"ui://clock/view.html\"",
                                        "resourceUri\":\"ui://zoo/clock/view.html\""));
    }

    @Test
    void oneServerHasItsOwnViews() {
        Agent agent = rig.agent(ONE_SERVER, "2025-11-25");

        assertThat(agent.ask("tools/list", "{}").at("/result/tools/1")).isEqualTo(TOOL);
        assertThat(agent.ask("resources/list", "{}").at("/result/resources/0/uri"))
                .isEqualTo("ui://clock/view.html");
        assertThat(agent.call("show", "{}").at("/result")).isEqualTo(RESULT);
    }

    @Test
    void extensionsOfServersAreOfferedAndThoseOfANamespaceAreUnited() {
        declare(
                ZOO.server(),
                "{\"%s\":{\"mimeTypes\":[\"text/zoo\"]},\"com.example/odd\":{\"a\":1},\"io.modelcontextprotocol/tasks\":{}}"
                        .formatted(UI));

        assertThat(
                        rig.agent("/mcp", "2025-11-25")
                                .introduction()
                                .at("/result/capabilities/extensions"))
                .isEqualTo(
                        "{\"%s\":{\"mimeTypes\":[\"text/github\",\"text/zoo\"]},\"com.example/odd\":{\"a\":1}}"
                                .formatted(UI));
        assertThat(
                        new StatelessAgent(rig.probe("/mcp"))
                                .ask("server/discover", "")
                                .at("/result/capabilities/extensions"))
                .contains("text/github", "text/zoo", "com.example/odd");
        assertThat(
                        rig.agent(ONE_SERVER, "2025-11-25")
                                .introduction()
                                .at("/result/capabilities/extensions"))
                .isEqualTo("{\"%s\":{\"mimeTypes\":[\"text/github\"]}}".formatted(UI));
        assertThat(
                        rig.agent("/mcp?servers=github", "2025-11-25")
                                .introduction()
                                .at("/result/capabilities/extensions"))
                .doesNotContain("odd");
    }

    @Test
    void extensionsOfAClientReachAServerOf20260728WithEachRequest() {
        rig.servers()
                .on(
                        "server/discover",
                        (connection, params) ->
                                json(
                                        """
                                        {"resultType": "complete", "capabilities": {"tools": {}},
                                         "supportedVersions": ["2026-07-28"]}\
                                        """));
        String declared =
                "{\"extensions\":{\"%s\":{\"mimeTypes\":[\"text/html;profile=mcp-app\"]},\"com.example/odd\":{\"a\":1.50}}}"
                        .formatted(UI);

        new StatelessAgent(rig.probe("/mcp"), declared).call("github__show", "{}");
        assertThat(clientCapabilities()).isEqualTo(declared);

        Agent.initialize(rig.probe("/mcp"), "2025-11-25", declared).call("github__show", "{}");
        assertThat(clientCapabilities()).isEqualTo(declared);
    }

    private String clientCapabilities() {
        ObjectNode params =
                (ObjectNode)
                        Objects.requireNonNull(
                                rig.servers().latest().requests().getLast().params());
        return params.path("_meta").path("io.modelcontextprotocol/clientCapabilities").toString();
    }

    @Test
    void olderServerGetsTheExtensionsThatItsManifestPromises() {
        String promised = "{\"%s\":{\"mimeTypes\":[\"a/b\"]}}".formatted(UI);
        rig.catalog()
                .putServer(
                        Definitions.withBridge(
                                McpRig.SERVER,
                                new ServerRequestPolicy(
                                        Set.of(), Set.of(), (ObjectNode) json(promised))));
        AtomicReference<JsonNode> initialize = new AtomicReference<>();
        rig.servers()
                .on(
                        "initialize",
                        (connection, params) -> {
                            initialize.set(params);
                            return FakeTransports.initializeResult(params);
                        });

        rig.agent("/mcp", "2025-11-25").call("github__show", "{}");

        assertThat(initialize.get().at("/capabilities/extensions")).hasToString(promised);
    }

    @Test
    void moreExtensionsThanASessionCanHoldAreRefused() {
        Agent agent =
                Agent.initialize(
                        rig.probe("/mcp"),
                        "2025-11-25",
                        "{\"extensions\":{\"a\":{\"x\":\"%s\"}}}".formatted("y".repeat(2048)));

        assertThat(agent.introduction().at("/error/message"))
                .isEqualTo(
                        "\"params.capabilities.extensions\" takes 2062 characters; 2048 is the"
                                + " most");
    }
}
