package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.server.mcp.subscriptions.ResourceSubscriptions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Agents of several endpoints that subscribe to the same resource of one server. */
@Timeout(60)
class SharedResourcesTest {

    private static final String GITHUB = "/mcp/default/mcpservers/github";
    private static final String OWN_URI = "{\"uri\": \"file:///a\"}";

    private final McpRig rig = new McpRig();

    @BeforeEach
    void serverHasResources() {
        rig.catalog()
                .putIdentity(
                        McpRig.SERVER.server(),
                        new ServerIdentity(
                                "2025-11-25",
                                json("{'name':'gh','version':'1'}"),
                                json("{'resources':{'subscribe':true,'listChanged':true}}"),
                                ""));
        rig.servers()
                .on("resources/subscribe", (c, params) -> json("{}"))
                .on("resources/unsubscribe", (c, params) -> json("{}"));
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private void comeAndGo() {
        Agent agent = rig.agent(GITHUB, "2025-11-25");
        agent.ask("resources/subscribe", OWN_URI);
        assertThat(agent.ask("resources/unsubscribe", OWN_URI).at("/result")).isEqualTo("{}");
    }

    private void update() {
        rig.servers().latest().send("notifications/resources/updated", json("{'uri':'file:///a'}"));
    }

    private McpProbe.Stream listen(String path, String uris) {
        return new StatelessAgent(rig.probe(path))
                .open(
                        "subscriptions/listen",
                        "\"notifications\": {\"resourceSubscriptions\": [%s]}".formatted(uris));
    }

    /** One of 2026-07-28, which agrees to all that it is asked for. */
    private void serverIsNewer() {
        JsonNode capabilities = json("{'resources':{'subscribe':true}}");
        rig.catalog()
                .putIdentity(
                        McpRig.SERVER.server(),
                        new ServerIdentity("2026-07-28", json("{}"), capabilities, ""));
        rig.servers()
                .on("resources/subscribe", (c, params) -> notThere())
                .on("resources/unsubscribe", (c, params) -> notThere())
                .on(
                        "server/discover",
                        (c, params) -> {
                            ObjectNode result = Json.MAPPER.createObjectNode();
                            result.putArray("supportedVersions").add("2026-07-28");
                            result.set("capabilities", capabilities);
                            return result;
                        })
                .on(
                        "subscriptions/listen",
                        (connection, params) -> {
                            ObjectNode agreed = Json.MAPPER.createObjectNode();
                            agreed.set("notifications", params.path("notifications"));
                            connection.send("notifications/subscriptions/acknowledged", agreed);
                            new CountDownLatch(1).await();
                            return agreed;
                        });
    }

    private static JsonNode notThere() {
        throw new JsonRpcException(new JsonRpcError(-32601, "Method not found", null));
    }

    @Test
    void agentsOfAllRevisionsAreNotifiedOfResourcesOfANewerServer() throws Exception {
        serverIsNewer();
        Agent older = rig.agent("/mcp", "2025-11-25");
        assertThat(
                        older.ask("resources/subscribe", "{\"uri\": \"orloj+github+file:///a\"}")
                                .at("/result"))
                .isEqualTo("{}");
        try (McpProbe.Stream reported = older.listen();
                McpProbe.Stream newer = listen(GITHUB, "\"file:///a\"")) {
            assertThat(newer.next().at("/params/notifications/resourceSubscriptions"))
                    .hasToString("[\"file:///a\"]");
            await().until(() -> rig.subscriptions().count() == 2);

            rig.servers()
                    .latest()
                    .send(
                            "notifications/resources/updated",
                            json(
                                    "{'uri':'file:///a','_meta':{'io.modelcontextprotocol/subscriptionId':7}}"));

            assertThat(reported.next().path("params"))
                    .hasToString("{\"uri\":\"orloj+github+file:///a\"}");
            assertThat(newer.next().at("/params/uri").asString()).isEqualTo("file:///a");
        }
        assertThat(
                        older.ask("resources/unsubscribe", "{\"uri\": \"orloj+github+file:///a\"}")
                                .at("/result"))
                .isEqualTo("{}");
    }

    @Test
    void sessionOfAnotherEndpointStaysSubscribedWhenOneUnsubscribes() throws Exception {
        Agent stays = rig.agent("/mcp/default", "2025-11-25");
        stays.ask("resources/subscribe", "{\"uri\": \"orloj+github+file:///a\"}");

        comeAndGo();

        assertThat(rig.servers().count("resources/unsubscribe")).isZero();
        try (McpProbe.Stream stream = stays.listen()) {
            await().until(() -> rig.subscriptions().count() == 1);
            update();
            assertThat(stream.next().at("/params/uri").asString())
                    .isEqualTo("orloj+github+file:///a");
        }
    }

    @Test
    void listenerStaysSubscribedWhenASessionUnsubscribes() throws Exception {
        try (McpProbe.Stream stream = listen("/mcp/default", "\"orloj+github+file:///a\"")) {
            stream.next();

            comeAndGo();

            assertThat(rig.servers().count("resources/unsubscribe")).isZero();
            update();
            assertThat(stream.next().at("/params/uri").asString())
                    .isEqualTo("orloj+github+file:///a");
        }
    }

    @Test
    void serverIsNotifiedWhenNoSubscriberIsLeft() throws Exception {
        try (McpProbe.Stream stream = listen(GITHUB, "\"file:///b\"")) {
            stream.next();

            comeAndGo();

            assertThat(rig.servers().count("resources/unsubscribe")).isEqualTo(1);
        }
    }

    /** The server may receive the two in either order. */
    @Test
    void clientThatSubscribesWhileAnotherUnsubscribesIsNotified() {
        Agent comes = rig.agent("/mcp/default", "2025-11-25");
        rig.servers()
                .on(
                        "resources/unsubscribe",
                        (c, params) -> {
                            comes.ask(
                                    "resources/subscribe", "{\"uri\": \"orloj+github+file:///a\"}");
                            return json("{}");
                        });

        comeAndGo();

        assertThat(rig.servers().count("resources/subscribe")).isEqualTo(3);
    }

    @Test
    void listenerThatWantsTooManyResourcesIsRefused() {
        String uris =
                IntStream.rangeClosed(0, ResourceSubscriptions.MAX_PER_CLIENT)
                        .mapToObj("\"file:///%d\""::formatted)
                        .collect(Collectors.joining(","));

        McpProbe.Answer answer =
                new StatelessAgent(rig.probe(GITHUB))
                        .ask(
                                "subscriptions/listen",
                                "\"notifications\": {\"resourceSubscriptions\": [%s]}"
                                        .formatted(uris));

        assertThat(answer.at("/error/code")).isEqualTo("-32602");
        assertThat(answer.at("/error/message")).contains("10001").contains("10000");
        assertThat(rig.servers().count("resources/subscribe")).isZero();
    }

    @Test
    void serverIsAskedNoMoreForAListenerThatIsGone() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        rig.servers()
                .on(
                        "resources/subscribe",
                        (c, params) -> {
                            gone.await();
                            return json("{}");
                        });

        try (McpProbe.Stream stream = listen(GITHUB, "\"file:///a\", \"file:///b\"")) {
            assertThat(stream.code()).isEqualTo(200);
            await().until(() -> rig.servers().count("resources/subscribe") == 1);
        }
        await().until(() -> rig.subscriptions().count() == 0);
        gone.countDown();
        rig.close();

        assertThat(rig.servers().count("resources/subscribe")).isEqualTo(1);
    }

    private static JsonNode json(String text) {
        return FakeTransports.json(text.replace('\'', '"'));
    }
}
