package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
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

import java.util.concurrent.CountDownLatch;

/** Prompts, resources and what else servers have beside tools. */
@Timeout(60)
class AgentFeaturesTest {

    private static final String GITHUB = "/mcp/default/mcpservers/github";

    private final McpRig rig = new McpRig();

    @BeforeEach
    void serverHasEverything() {
        rig.catalog()
                .putIdentity(
                        McpRig.SERVER.server(),
                        new ServerIdentity(
                                "2025-11-25",
                                json("{'name':'gh','version':'1'}"),
                                json(
                                        "{'tools':{},'prompts':{},'resources':{'subscribe':true},'completions':{},'logging':{}}"),
                                ""));
        rig.servers()
                .on("prompts/list", (c, params) -> json("{'prompts':[{'name':'fix','x':[1.0]}]}"))
                .on(
                        "prompts/get",
                        (c, params) ->
                                json(
                                        "{'messages':[{'role':'user','content':{'type':'resource','resource':{'uri':'file:///a','text':'%s'}}}]}"
                                                .formatted(params.path("name").asString())))
                .on(
                        "resources/list",
                        (c, params) ->
                                params.has("cursor")
                                        ? json("{'resources':[{'uri':'file:///b','name':'b'}]}")
                                        : json(
                                                "{'resources':[{'uri':'file:///a','name':'a'}],'nextCursor':'more'}"))
                .on(
                        "resources/templates/list",
                        (c, params) ->
                                json("{'resourceTemplates':[{'uriTemplate':'file:///{path}'}]}"))
                .on(
                        "resources/read",
                        (c, params) ->
                                json(
                                        "{'contents':[{'uri':'%s','text':'hello'}]}"
                                                .formatted(params.path("uri").asString())))
                .on("resources/subscribe", (c, params) -> json("{}"))
                .on("resources/unsubscribe", (c, params) -> json("{}"))
                .on(
                        "completion/complete",
                        (c, params) ->
                                json(
                                        "{'completion':{'values':['%s']}}"
                                                .formatted(
                                                        params.at("/ref/name").asString("")
                                                                + params.at("/ref/uri")
                                                                        .asString(""))));
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void oneServerHasItsOwnNames() {
        Agent agent = rig.agent(GITHUB, "2025-11-25");

        assertThat(agent.introduction().at("/result/capabilities"))
                .isEqualTo(
                        "{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true},\"resources\":{\"subscribe\":true,\"listChanged\":true},\"completions\":{},\"logging\":{}}");
        assertThat(agent.ask("prompts/list", "{}").at("/result"))
                .isEqualTo("{\"prompts\":[{\"name\":\"fix\",\"x\":[1.0]}]}");
        assertThat(agent.ask("resources/list", "{}").at("/result/nextCursor")).isEqualTo("more");
        assertThat(
                        agent.ask("resources/list", "{\"cursor\": \"more\"}")
                                .at("/result/resources/0/uri"))
                .isEqualTo("file:///b");
        assertThat(agent.ask("resources/read", "{\"uri\": \"file:///a\"}").at("/result"))
                .isEqualTo("{\"contents\":[{\"uri\":\"file:///a\",\"text\":\"hello\"}]}");
    }

    @Test
    void namespaceSaysWhoseEverythingIsAndKnowsItAgain() {
        Agent agent = rig.agent("/mcp", "2025-11-25");

        assertThat(agent.ask("prompts/list", "{}").at("/result"))
                .isEqualTo("{\"prompts\":[{\"name\":\"github__fix\",\"x\":[1.0]}]}");
        assertThat(
                        agent.ask("prompts/get", "{\"name\": \"github__fix\"}")
                                .at("/result/messages/0/content/resource"))
                .isEqualTo("{\"uri\":\"orloj+github+file:///a\",\"text\":\"fix\"}");
        assertThat(agent.ask("resources/list", "{}").at("/result"))
                .isEqualTo(
                        "{\"resources\":[{\"uri\":\"orloj+github+file:///a\",\"name\":\"a\"},{\"uri\":\"orloj+github+file:///b\",\"name\":\"b\"}]}");
        assertThat(
                        agent.ask("resources/templates/list", "{}")
                                .at("/result/resourceTemplates/0/uriTemplate"))
                .isEqualTo("orloj+github+file:///{path}");
        assertThat(
                        agent.ask("resources/read", "{\"uri\": \"orloj+github+file:///x\"}")
                                .at("/result"))
                .isEqualTo(
                        "{\"contents\":[{\"uri\":\"orloj+github+file:///x\",\"text\":\"hello\"}]}");
    }

    @Test
    void completionIsAboutTheServersOwnNames() {
        Agent agent = rig.agent("/mcp", "2025-11-25");

        assertThat(
                        agent.ask(
                                        "completion/complete",
                                        "{\"ref\": {\"type\": \"ref/prompt\", \"name\":"
                                                + " \"github__fix\"}, \"argument\": {\"name\":"
                                                + " \"a\", \"value\": \"\"}}")
                                .at("/result/completion/values/0"))
                .isEqualTo("fix");
        assertThat(
                        agent.ask(
                                        "completion/complete",
                                        "{\"ref\": {\"type\": \"ref/resource\", \"uri\":"
                                                + " \"orloj+github+file:///{path}\"},"
                                                + " \"argument\": {\"name\": \"path\","
                                                + " \"value\": \"\"}}")
                                .at("/result/completion/values/0"))
                .isEqualTo("file:///{path}");
    }

    /** H-15: servers failed over arguments that are no texts, for all agents. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    prompts/get | "name": "github__fix", "arguments": "a" | params.arguments
                    prompts/get | "name": "github__fix", "arguments": {"a": 1} | params.arguments
                    completion/complete | "argument": {} | params.argument
                    completion/complete | "argument": {"name": "a", "value": 1} | params.argument
                    completion/complete | "argument": {"name": "a", "value": ""}, "context": {"arguments": {"a": 1}} | params.context.arguments
                    """)
    void argumentsThatAreNoTextsDoNotReachTheServer(String method, String params, String what) {
        Agent agent = rig.agent("/mcp", "2025-11-25");
        String ref = ", \"ref\": {\"type\": \"ref/prompt\", \"name\": \"github__fix\"}";

        var answer = agent.ask(method, "{" + params + ref + "}");

        assertThat(answer.at("/error/code")).isEqualTo("-32602");
        assertThat(answer.at("/error/message")).startsWith("\"" + what + "\" must be");
    }

    @Test
    void linksInToolResultsCanBeReadWhereTheyWereSeen() {
        rig.servers()
                .on(
                        "tools/call",
                        (c, params) ->
                                json(
                                        "{'content':[{'type':'resource_link','uri':'file:///a','name':'a'}]}"));

        assertThat(
                        rig.agent("/mcp", "2025-11-25")
                                .call("github__echo", "{}")
                                .at("/result/content/0/uri"))
                .isEqualTo("orloj+github+file:///a");
        assertThat(rig.agent(GITHUB, "2025-11-25").call("echo", "{}").at("/result/content/0/uri"))
                .isEqualTo("file:///a");
    }

    @Test
    void namespaceAsksAServerOnceAndAgainWhenItSaysSo() {
        Agent agent = rig.agent("/mcp", "2025-11-25");

        agent.ask("prompts/list", "{}");
        agent.ask("prompts/list", "{}");
        assertThat(rig.servers().count("prompts/list")).isEqualTo(1);

        rig.servers().latest().send("notifications/prompts/list_changed");
        agent.ask("prompts/list", "{}");
        assertThat(rig.servers().count("prompts/list")).isEqualTo(2);
    }

    @Test
    void listThatChangesWhileItIsReadIsReadAgain() {
        rig.servers()
                .on(
                        "resources/list",
                        (connection, params) -> {
                            if (rig.servers().count("resources/list") == 1) {
                                connection.send("notifications/resources/list_changed");
                                return json("{'resources':[{'uri':'file:///old','name':'a'}]}");
                            }
                            return json("{'resources':[{'uri':'file:///new','name':'a'}]}");
                        });
        Agent agent = rig.agent("/mcp", "2025-11-25");
        agent.ask("resources/list", "{}");

        assertThat(agent.ask("resources/list", "{}").at("/result/resources/0/uri"))
                .isEqualTo("orloj+github+file:///new");
        agent.ask("resources/list", "{}");
        assertThat(rig.servers().count("resources/list")).isEqualTo(2);
    }

    @Test
    void deadServerTakesNothingFromTheOthers() {
        ResourceKey dead = new ResourceKey("default", "dead");
        rig.catalog().putServer(Definitions.server("dead"));
        rig.catalog()
                .putIdentity(
                        dead, rig.catalog().findIdentity(McpRig.SERVER.server()).orElseThrow());
        rig.catalog().putServer(Definitions.server("sleeper"));
        rig.servers()
                .on(
                        "prompts/list",
                        (connection, params) -> {
                            if (connection.address().toString().contains("dead")) {
                                throw new JsonRpcException(new JsonRpcError(-1, "no", null));
                            }
                            return json("{'prompts':[{'name':'fix'}]}");
                        });

        Answer list = rig.agent("/mcp", "2025-11-25").ask("prompts/list", "{}");

        assertThat(list.at("/result")).isEqualTo("{\"prompts\":[{\"name\":\"github__fix\"}]}");
        assertThat(rig.sessions().sessions(new ResourceKey("default", "sleeper"))).isEmpty();
    }

    /** Some servers return a cursor with their only page, and this page for every cursor. */
    @Test
    void namespaceListsTheItemsOfAServerThatIgnoresCursorsOnce() {
        rig.servers()
                .on(
                        "prompts/list",
                        (connection, params) ->
                                json(
                                        "{'prompts':[{'name':'fix'},{'title':'nameless'}],'nextCursor':''}"));

        Answer list = rig.agent("/mcp", "2025-11-25").ask("prompts/list", "{}");

        assertThat(list.at("/result")).isEqualTo("{\"prompts\":[{\"name\":\"github__fix\"}]}");
        assertThat(rig.servers().count("prompts/list")).isEqualTo(2);
    }

    @Test
    void serverThatDoesNotAnswerIsLeftOut() {
        ResourceKey silent = new ResourceKey("default", "silent");
        rig.catalog().putServer(Definitions.server("silent"));
        rig.catalog()
                .putIdentity(
                        silent, rig.catalog().findIdentity(McpRig.SERVER.server()).orElseThrow());
        CountDownLatch never = new CountDownLatch(1);
        rig.servers()
                .on(
                        "prompts/list",
                        (connection, params) -> {
                            if (connection.address().toString().contains("silent")) {
                                never.await();
                            }
                            return json("{'prompts':[{'name':'fix'}]}");
                        });

        Answer list = rig.agent("/mcp", "2025-11-25").ask("prompts/list", "{}");

        assertThat(list.at("/result")).isEqualTo("{\"prompts\":[{\"name\":\"github__fix\"}]}");
    }

    @Test
    void serverWithoutPromptsHasNoSuchMethod() {
        rig.catalog()
                .putIdentity(
                        McpRig.SERVER.server(),
                        new ServerIdentity("2025-11-25", json("{}"), json("{'tools':{}}"), ""));

        Answer answer = rig.agent(GITHUB, "2025-11-25").ask("prompts/list", "{}");

        assertThat(answer.at("/error/code")).isEqualTo("-32601");
        assertThat(rig.servers().made()).isEmpty();
    }

    @Test
    void whatIsNotOfTheEndpointIsUnknown() {
        Agent agent = rig.agent("/mcp", "2025-11-25");

        for (String uri : new String[] {"file:///a", "orloj+github", "orloj+"}) {
            assertThat(
                            agent.ask("resources/read", "{\"uri\": \"%s\"}".formatted(uri))
                                    .at("/error/code"))
                    .isEqualTo("-32602");
        }
        assertThat(agent.ask("prompts/get", "{\"name\": \"fix\"}").at("/error/code"))
                .isEqualTo("-32602");
        assertThat(
                        agent.ask("resources/read", "{\"uri\": \"orloj+absent+a\"}")
                                .at("/error/message"))
                .contains("Server \"absent\" is unavailable");
    }

    @Test
    void missingResourceHasTheCodeOfTheRevision() {
        rig.servers()
                .on(
                        "resources/read",
                        (c, params) -> {
                            throw new JsonRpcException(new JsonRpcError(-32002, "none", null));
                        });

        assertThat(
                        rig.agent(GITHUB, "2025-11-25")
                                .ask("resources/read", "{\"uri\": \"a\"}")
                                .at("/error/code"))
                .isEqualTo("-32002");
        assertThat(
                        new StatelessAgent(rig.probe(GITHUB))
                                .ask("resources/read", "\"uri\": \"a\"", "Mcp-Name", "a")
                                .at("/error/code"))
                .isEqualTo("-32602");
    }

    @Test
    void subscriberIsNotifiedOfItsResourceByTheNameItUsed() throws Exception {
        Agent subscriber = rig.agent("/mcp", "2025-11-25");
        Agent other = rig.agent("/mcp", "2025-11-25");
        subscriber.ask("resources/subscribe", "{\"uri\": \"orloj+github+file:///a\"}");
        try (McpProbe.Stream mine = subscriber.listen();
                McpProbe.Stream theirs = other.listen()) {
            await().until(() -> rig.subscriptions().count() == 2);

            rig.servers()
                    .latest()
                    .send("notifications/resources/updated", json("{'uri':'file:///a'}"));
            rig.servers().latest().send("notifications/message", json("{'level':'info','data':1}"));

            assertThat(mine.next().at("/params"))
                    .hasToString("{\"uri\":\"orloj+github+file:///a\"}");
            assertThat(mine.next().at("/method").asString()).isEqualTo("notifications/message");
            assertThat(theirs.next().at("/params")).hasToString("{\"level\":\"info\",\"data\":1}");
        }
        assertThat(
                        subscriber
                                .ask(
                                        "resources/unsubscribe",
                                        "{\"uri\": \"orloj+github+file:///a\"}")
                                .at("/result"))
                .isEqualTo("{}");
        assertThat(rig.servers().count("resources/unsubscribe")).isEqualTo(1);
    }

    @Test
    void listenerIsNotifiedOfResourcesAndPrompts() throws Exception {
        StatelessAgent agent = new StatelessAgent(rig.probe(GITHUB));
        try (McpProbe.Stream stream =
                agent.open(
                        "subscriptions/listen",
                        "\"notifications\": {\"promptsListChanged\": true,"
                                + " \"resourceSubscriptions\": [\"file:///a\"]}")) {
            assertThat(stream.next().at("/params/notifications"))
                    .hasToString(
                            "{\"promptsListChanged\":true,\"resourceSubscriptions\":[\"file:///a\"]}");

            rig.servers()
                    .latest()
                    .send("notifications/resources/updated", json("{'uri':'file:///a'}"));
            assertThat(stream.next().at("/params/uri").asString()).isEqualTo("file:///a");

            rig.servers().latest().send("notifications/prompts/list_changed");
            assertThat(stream.next().at("/method").asString())
                    .isEqualTo("notifications/prompts/list_changed");
        }
    }

    @Test
    void listsOfServersSayThatTheyMayNotBeKept() {
        Answer list = new StatelessAgent(rig.probe("/mcp")).ask("prompts/list", "");

        assertThat(list.at("/result/ttlMs")).isEqualTo("0");
        assertThat(list.at("/result/resultType")).isEqualTo("complete");
    }

    private static JsonNode json(String text) {
        return FakeTransports.json(text.replace('\'', '"'));
    }
}
