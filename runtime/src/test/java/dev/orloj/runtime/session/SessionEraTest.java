package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.LogLevel;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.client.SessionPolicy;
import dev.orloj.runtime.client.SessionPolicy.HealthProbe;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.listing.ToolListing;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransport;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.OutgoingRequest;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.http.HttpStatusException;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers that want a handshake, servers that want none, and how they are distinguished. */
class SessionEraTest {

    private static final ServerDefinition SERVER = Definitions.server("github");
    private static final String META = "io.modelcontextprotocol/";

    @RegisterExtension final SessionRig rig = new SessionRig();

    private final FakeTransports transports = rig.transports;

    private void beModern() {
        transports.on("server/discover", (connection, params) -> discovered("2026-07-28"));
        transports.on("initialize", (connection, params) -> fail(-32601, null));
        transports.on("ping", (connection, params) -> fail(-32601, null));
    }

    private static JsonNode discovered(String version) {
        return FakeTransports.json(
                """
                {"resultType": "complete", "supportedVersions": ["%s"],
                 "capabilities": {"tools": {}}, "instructions": "Be kind",
                 "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "new", "version": "2"}},
                 "ttlMs": 1000, "cacheScope": "public"}
                """
                        .formatted(version));
    }

    private static JsonNode fail(int code, String data) {
        throw new JsonRpcException(
                new JsonRpcError(code, "not so", data == null ? null : FakeTransports.json(data)));
    }

    private List<String> received() {
        return transports.latest().received();
    }

    @Test
    void serverOfTheNewestRevisionIsNotGreeted() throws Exception {
        beModern();

        Session session = TestSessions.sessionFor(rig.manager, SERVER);

        assertThat(received()).containsExactly("server/discover");
        assertThat(transports.latest().negotiatedVersion()).isEqualTo(ProtocolRevision.V2026_07_28);
        ServerIdentity identity = session.identity();
        assertThat(identity.protocolVersion()).isEqualTo("2026-07-28");
        assertThat(identity.serverInfo().path("name").asString()).isEqualTo("new");
        assertThat(identity.instructions()).isEqualTo("Be kind");
    }

    @Test
    void eachRequestSaysWhatItIsWrittenIn() throws Exception {
        beModern();

        rig.call(SERVER);

        OutgoingRequest call = transports.latest().requests().getLast();
        JsonNode meta = call.params().path("_meta");
        assertThat(meta.path(META + "protocolVersion").asString()).isEqualTo("2026-07-28");
        assertThat(meta.path(META + "clientInfo").path("version").asString()).isEqualTo("1.2.3");
        assertThat(meta.path(META + "clientCapabilities").isObject()).isTrue();
        assertThat(call.headers())
                .containsEntry("MCP-Protocol-Version", "2026-07-28")
                .containsEntry("Mcp-Method", "tools/call")
                .containsEntry("Mcp-Name", "echo");
    }

    @Test
    void requestOfALogListenerCarriesItsLevel() throws Exception {
        beModern();

        callReceiving(LogLevel.NOTICE);

        JsonNode meta = transports.latest().requests().getLast().params().path("_meta");
        assertThat(meta.path(META + "logLevel").asString()).isEqualTo("notice");
    }

    @Test
    void logLevelIsNotSentToAnOlderServerWithARequest() throws Exception {
        callReceiving(LogLevel.NOTICE);

        assertThat(transports.latest().requests().getLast().params().has("_meta")).isFalse();
    }

    private void callReceiving(LogLevel level) throws InterruptedException {
        SessionRequest request = receiving(level);
        rig.manager.withSession(SERVER, request, session -> session.call(request));
    }

    private static SessionRequest receiving(LogLevel level) {
        return new SessionRequest(
                "tools/call",
                (ObjectNode) FakeTransports.json("{\"name\": \"echo\"}"),
                SessionRig.TIMEOUT,
                ProgressListener.NONE,
                ParameterHeaders.NONE,
                RequestingClient.of(
                        ClientCapabilities.NONE,
                        new LogListener() {

                            @Override
                            public Optional<LogLevel> level() {
                                return Optional.of(level);
                            }

                            @Override
                            public void logged(ObjectNode params) {}
                        }));
    }

    @Test
    void requestsAfterAHandshakeCarryNothingOfIt() throws Exception {
        rig.call(SERVER);

        OutgoingRequest call = transports.latest().requests().getLast();
        assertThat(call.params().has("_meta")).isFalse();
        assertThat(call.headers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-32601, -32602, -32600, -32000, -32603})
    void anyErrorShowsAServerThatWantsToBeGreeted(int code) throws Exception {
        transports.on("server/discover", (connection, params) -> fail(code, null));

        Session session = TestSessions.sessionFor(rig.manager, SERVER);

        assertThat(session.identity().protocolVersion()).isEqualTo("2025-11-25");
    }

    @Test
    void serverThatIsSilentAtTheQuestionIsGreeted() throws Exception {
        transports.on(
                "server/discover",
                (connection, params) -> {
                    throw new RequestTimeoutException("server/discover", Duration.ofSeconds(3));
                });

        Session session = TestSessions.sessionFor(rig.manager, SERVER);

        assertThat(session.identity().protocolVersion()).isEqualTo("2025-11-25");
    }

    @Test
    void serverThatDiesOfTheQuestionIsStartedAgainAndNotAsked() throws Exception {
        transports.on(
                "server/discover",
                (connection, params) -> {
                    connection.die("Server process ended with exit code 1");
                    new CountDownLatch(1).await();
                    return params;
                });

        Session session = TestSessions.sessionFor(rig.manager, SERVER);

        assertThat(session.identity().protocolVersion()).isEqualTo("2025-11-25");
        assertThat(transports.made()).hasSize(2);
        assertThat(received()).containsExactly("initialize", "notifications/initialized");
    }

    @Test
    void serverThatIsKnownIsNotAskedAgain() throws Exception {
        TestSessions.sessionFor(rig.manager, SERVER);
        transports.latest().die("crashed");
        await().until(() -> rig.manager.liveSession(SERVER.server()).isEmpty());

        TestSessions.sessionFor(rig.manager, SERVER);

        assertThat(received()).containsExactly("initialize", "notifications/initialized");
    }

    @Test
    void serverThatHasLearntTheNewestRevisionIsAskedWhenItRefusesTheGreeting() throws Exception {
        TestSessions.sessionFor(rig.manager, SERVER);
        beModern();
        transports.latest().die("replaced by a newer version");
        await().until(() -> rig.manager.liveSession(SERVER.server()).isEmpty());

        Session session = TestSessions.sessionFor(rig.manager, SERVER);

        assertThat(session.identity().protocolVersion()).isEqualTo("2026-07-28");
    }

    @Test
    void answerWithoutTheNewestRevisionIsNoneOfIt() throws Exception {
        transports.on("server/discover", (connection, params) -> discovered("2025-11-25"));

        Session session = TestSessions.sessionFor(rig.manager, SERVER);

        assertThat(session.identity().protocolVersion()).isEqualTo("2025-11-25");
    }

    @Test
    void serverOfALaterEraIsRefusedWithWhatItSpeaks() {
        transports.on(
                "server/discover",
                (connection, params) -> fail(-32022, "{\"supported\": [\"2030-01-01\"]}"));

        assertThatThrownBy(() -> TestSessions.sessionFor(rig.manager, SERVER))
                .isInstanceOf(SessionOpenException.class)
                .hasMessageContaining("2030-01-01")
                .hasMessageContaining("2026-07-28");
    }

    @Test
    void serverThatRefusesTheRevisionAndNamesItIsAskedOnceMore() throws Exception {
        beModern();
        AtomicInteger asked = new AtomicInteger();
        transports.on(
                "server/discover",
                (connection, params) ->
                        asked.incrementAndGet() == 1
                                ? fail(-32022, "{\"supported\": [\"2026-07-28\"]}")
                                : discovered("2026-07-28"));

        Session session = TestSessions.sessionFor(rig.manager, SERVER);

        assertThat(session.identity().protocolVersion()).isEqualTo("2026-07-28");
        assertThat(received()).containsExactly("server/discover", "server/discover");
    }

    @Test
    void serverThatKeepsRefusingTheRevisionThatItNamesIsAskedTwiceOnly() {
        AtomicInteger asked = new AtomicInteger();
        transports.on(
                "server/discover",
                (connection, params) -> {
                    asked.incrementAndGet();
                    return fail(-32022, "{\"supported\": [\"2026-07-28\"]}");
                });

        assertThatThrownBy(() -> TestSessions.sessionFor(rig.manager, SERVER))
                .isInstanceOf(SessionOpenException.class);

        assertThat(asked).hasValue(2);
    }

    @Test
    void gateBeforeTheServerSaysNothingAboutIt() throws Exception {
        transports.on(
                "server/discover",
                (connection, params) -> {
                    throw new HttpStatusException("HTTP 401", 401, false);
                });
        TestSessions.sessionFor(rig.manager, SERVER);
        transports.latest().die("crashed");
        await().until(() -> rig.manager.liveSession(SERVER.server()).isEmpty());

        TestSessions.sessionFor(rig.manager, SERVER);

        assertThat(received()).as("asked again").startsWith("server/discover");
    }

    @Test
    void healthIsAskedForWithARequestThatTheServerKnows() throws Exception {
        beModern();
        TestSessions.sessionFor(
                rig.manager,
                Definitions.withPolicy(
                        SERVER,
                        new SessionPolicy(
                                Optional.of(
                                        new HealthProbe(
                                                Duration.ofMinutes(1), SessionRig.TIMEOUT, 3)),
                                Duration.ZERO,
                                0,
                                Optional.empty())));

        rig.clock.advance(Duration.ofMinutes(1));

        await().untilAsserted(
                        () ->
                                assertThat(received())
                                        .containsExactly("server/discover", "server/discover"));
    }

    @Test
    void changesAreListenedForAsLongAsTheSessionLives() throws Exception {
        beModern();
        transports.on(
                "server/discover",
                (connection, params) ->
                        FakeTransports.json(
                                """
                                {"supportedVersions": ["2026-07-28"],
                                 "capabilities": {"tools": {"listChanged": true},
                                   "prompts": {"listChanged": true}, "resources": {}}}
                                """));
        CountDownLatch listening = new CountDownLatch(1);
        transports.on(
                "subscriptions/listen",
                (connection, params) -> {
                    assertThat(params.path("notifications"))
                            .hasToString("{\"toolsListChanged\":true,\"promptsListChanged\":true}");
                    listening.countDown();
                    new CountDownLatch(1).await();
                    return params;
                });
        TestSessions.sessionFor(rig.manager, SERVER);
        listening.await();
        FakeTransport connection = transports.latest();

        connection.send("notifications/tools/list_changed");

        await().untilAsserted(
                        () ->
                                assertThat(rig.listener.events())
                                        .contains("tools changed default/github"));
    }

    @Test
    void allListsCountAsChangedWhenTheServerDidNotListenForAWhile() throws Exception {
        beModern();
        transports.on(
                "server/discover",
                (connection, params) ->
                        FakeTransports.json(
                                """
                                {"supportedVersions": ["2026-07-28"],
                                 "capabilities": {"tools": {"listChanged": true}}}
                                """));
        AtomicInteger listened = new AtomicInteger();
        transports.on(
                "subscriptions/listen",
                (connection, params) -> {
                    if (listened.incrementAndGet() > 1) {
                        new CountDownLatch(1).await();
                    }
                    return params;
                });

        TestSessions.sessionFor(rig.manager, SERVER);
        await().until(() -> listened.get() == 1);
        assertThat(rig.listener.events()).doesNotContain("tools changed default/github");

        await().until(
                        () -> {
                            rig.clock.advance(Duration.ofSeconds(1));
                            return listened.get() == 2;
                        });
        assertThat(rig.listener.events()).contains("tools changed default/github");
    }

    @Test
    void toolWhoseArgumentsCannotBeMirroredIsLeftOutOverHttp() throws Exception {
        beModern();
        transports.on(
                "tools/list",
                (connection, params) ->
                        FakeTransports.json(
                                """
                                {"tools": [{"name": "good", "inputSchema": {"type": "object"}},
                                 {"name": "bad", "inputSchema": {"type": "object", "properties":
                                   {"n": {"type": "number", "x-mcp-header": "N"}}}}]}
                                """));
        ServerDefinition http =
                Definitions.withAddress(
                        SERVER,
                        new ServerAddress.Http(URI.create("http://127.0.0.1:1/mcp"), Map.of()));

        ToolListing listing =
                TestSessions.sessionFor(rig.manager, http).discoverTools(Definitions.LISTING);

        assertThat(listing.tools())
                .extracting(tool -> tool.path("name").asString())
                .containsExactly("good");
        assertThat(listing.notes())
                .singleElement()
                .asString()
                .contains("\"bad\"", "x-mcp-header \"N\"", "no integer, string or boolean");
    }
}
