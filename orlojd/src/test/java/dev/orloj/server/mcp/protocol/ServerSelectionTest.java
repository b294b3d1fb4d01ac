package dev.orloj.server.mcp.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.server.mcp.Agent;
import dev.orloj.server.mcp.McpProbe;
import dev.orloj.server.mcp.McpProbe.Answer;
import dev.orloj.server.mcp.McpRig;
import dev.orloj.server.mcp.StatelessAgent;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Agents that see some servers of a namespace: {@code ?servers=a,b}. */
@Timeout(60)
class ServerSelectionTest {

    private static final String CHOSEN = "/mcp/default?servers=zoo,github";
    private static final String REVISION = "2025-11-25";

    private final McpRig rig = new McpRig();

    @BeforeEach
    void threeServersWithAPromptEach() {
        for (String name : List.of("jira", "zoo")) {
            rig.catalog().putServer(Definitions.server(name));
            rig.putTool(key(name), McpRig.ECHO);
        }
        for (String name : List.of("github", "jira", "zoo")) {
            rig.catalog()
                    .putIdentity(
                            key(name),
                            new ServerIdentity(
                                    REVISION,
                                    json("{'name': 'x', 'version': '1'}"),
                                    json("{'tools': {}, 'prompts': {}, 'resources': {}}"),
                                    ""));
        }
        rig.servers()
                .on("prompts/list", (c, params) -> json("{'prompts': [{'name': 'fix'}]}"))
                .on("prompts/get", (c, params) -> json("{'messages': []}"))
                .on("resources/list", (c, params) -> json("{'resources': [{'uri': 'file:///a'}]}"))
                .on("resources/read", (c, params) -> json("{'contents': []}"));
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private static ResourceKey key(String server) {
        return new ResourceKey("default", server);
    }

    private static JsonNode json(String text) {
        return FakeTransports.json(text.replace('\'', '"'));
    }

    private static List<String> values(Answer answer, String member) {
        return answer.json().path("result").findValuesAsString(member);
    }

    @Test
    void listsShowTheChosenServersUnderTheNamesOfTheNamespace() {
        Agent agent = rig.agent(CHOSEN, REVISION);

        assertThat(values(agent.ask("tools/list", "{}"), "name"))
                .containsExactly("github__echo", "zoo__echo");
        assertThat(values(agent.ask("prompts/list", "{}"), "name"))
                .containsExactly("github__fix", "zoo__fix");
        assertThat(values(agent.ask("resources/list", "{}"), "uri"))
                .containsExactly("orloj+github+file:///a", "orloj+zoo+file:///a");
        assertThat(rig.servers().made()).hasSize(2);
    }

    @Test
    void whatIsOfOtherServersIsNotThere() {
        Agent agent = rig.agent(CHOSEN, REVISION);

        assertThat(agent.call("zoo__echo", "{}").json().has("result")).isTrue();
        assertThat(agent.call("jira__echo", "{}").at("/error/code")).isEqualTo("-32602");
        assertThat(agent.ask("prompts/get", "{\"name\": \"zoo__fix\"}").json().has("result"))
                .isTrue();
        assertThat(agent.ask("prompts/get", "{\"name\": \"jira__fix\"}").at("/error/code"))
                .isEqualTo("-32602");
        assertThat(
                        agent.ask("resources/read", "{\"uri\": \"orloj+jira+file:///a\"}")
                                .json()
                                .has("error"))
                .isTrue();
        assertThat(rig.servers().made()).hasSize(1);
    }

    @Test
    void onlyChangesOfChosenServersAreReported() throws Exception {
        Agent agent = rig.agent(CHOSEN, REVISION);
        try (McpProbe.Stream stream = agent.listen()) {
            await().until(() -> rig.subscriptions().count() == 1);

            assertThat(rig.subscriptions().of(key("jira"))).isEmpty();
            rig.putTool(key("zoo"), "{\"name\": \"new\", \"inputSchema\": {}}");

            assertThat(stream.next().path("method").asString())
                    .isEqualTo("notifications/tools/list_changed");
        }
    }

    @Test
    void sessionIsGoodForTheServersItWasOpenedFor() {
        Agent agent = rig.agent(CHOSEN, REVISION);

        assertThat(other("/mcp/default?servers=github,zoo", agent).code()).isEqualTo(200);
        assertThat(other("/mcp/default?servers=github,jira", agent).code()).isEqualTo(404);
        assertThat(other("/mcp/default", agent).code()).isEqualTo(404);
    }

    private Answer other(String path, Agent agent) {
        return new Agent(rig.probe(path), agent.session(), agent.introduction())
                .ask("tools/list", "{}");
    }

    @Test
    void unknownServersAreNamed() {
        Agent agent = rig.agent("/mcp/default?servers=github,gitlab,jura", REVISION);

        assertThat(agent.introduction().code()).isEqualTo(404);
        assertThat(agent.introduction().at("/id")).isEqualTo("0");
        assertThat(agent.introduction().at("/error/message"))
                .startsWith(
                        "There is no McpServer \"gitlab\", \"jura\" in the namespace \"default\"");
        assertThat(
                        new StatelessAgent(rig.probe("/mcp/default?servers=gitlab"))
                                .ask("tools/list", "")
                                .at("/error/message"))
                .contains("\"gitlab\"");
    }

    @Test
    void serverThatGoesTakesNothingFromTheOthers() {
        Agent agent = rig.agent(CHOSEN, REVISION);

        rig.catalog().removeServer(key("zoo"));

        assertThat(values(agent.ask("prompts/list", "{}"), "name")).containsExactly("github__fix");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/mcp/default?servers=",
                "/mcp/default?servers=,",
                "/mcp/default/mcpservers/github?servers=zoo"
            })
    void choiceThatCannotBeIsRefused(String path) {
        Answer answer = rig.agent(path, REVISION).introduction();

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.at("/error/message")).startsWith("The parameter \"servers\": ");
    }
}
