package dev.orloj.runtime.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.gateway.GatewayPath;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.network.EndpointResolver;
import dev.orloj.runtime.oauth.RequestAuthorization;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.reading.ReadBudget;
import dev.orloj.runtime.testkit.Engines;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Answer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.transport.OutgoingRequest;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RecordingListener;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.SessionExpiredException;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.standard.StandardTransports;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.Supervisor;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

class StreamableHttpTransportTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String TOKEN = "s3cret-token-value";

    private final Supervisor supervisor = new Supervisor();
    private final StandardTransports transports =
            new StandardTransports(supervisor, Engines.unused());
    private final LogBuffer log = new LogBuffer(InstantSource.system());
    private final RecordingListener listener = new RecordingListener();
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable resource : resources) {
            resource.close();
        }
        transports.close();
        supervisor.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void resultsComeBackAsTheyWereSent(boolean sse) throws InterruptedException {
        FakeHttpServer server = server(sse ? script().sse() : script());
        Transport transport = open(server);

        JsonNode result = call(transport, "exotic", "{}");

        assertThat(result.toString())
                .contains("0.1234567890123456789012345", "9007199254740993", "1.50")
                .contains("12345678901234567890123", "\"video\"", "\"nothing\":null");
        assertThat(server.received("tools/call").getFirst().headers())
                .containsEntry("accept", "application/json, text/event-stream")
                .containsEntry("content-type", "application/json")
                .containsEntry("authorization", "Bearer " + TOKEN);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestsOfOneServerRunSideBySide(boolean sse) throws Exception {
        FakeHttpServer server = server(sse ? script().sse() : script());
        Transport transport = open(server);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<JsonNode>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                answers.add(callers.submit(() -> call(transport, "gather", "{\"of\": 20}")));
            }
            for (Future<JsonNode> answer : answers) {
                assertThat(text(answer.get())).isEqualTo("all are here");
            }
        }
    }

    @Test
    void theSessionAndTheRevisionTravelWithEveryRequest() throws InterruptedException {
        FakeHttpServer server = server(script().sessions());
        Transport transport = open(server);

        initialize(transport);
        transport.notify("notifications/initialized", null);
        call(transport, "echo", "{}");

        String session = server.sessions().iterator().next();
        assertThat(server.received("initialize").getFirst().headers())
                .doesNotContainKeys("mcp-session-id", "mcp-protocol-version");
        for (String method : List.of("notifications/initialized", "tools/call")) {
            assertThat(server.received(method).getFirst().headers())
                    .containsEntry("mcp-session-id", session)
                    .containsEntry("mcp-protocol-version", "2025-11-25");
        }
    }

    /** H-30: the request is sent by another thread than the one that passes it on. */
    @Test
    void gatewaysThatARequestHasPassedTravelOn() throws InterruptedException {
        FakeHttpServer server = server(script());
        Transport transport = open(server);

        GatewayPath.during(List.of("first", "second"), () -> call(transport, "echo", "{}"));

        assertThat(server.received("tools/call").getFirst().headers())
                .containsEntry("orloj-gateways", "first, second");
    }

    @ParameterizedTest
    @CsvSource({"2024-11-05, false", "2025-03-26, false", "2025-06-18, true", "2025-11-25, true"})
    void theRevisionIsSentFrom20250618On(String revision, boolean sent)
            throws InterruptedException {
        FakeHttpServer server = server(script());
        Transport transport = open(server);

        transport.negotiated(ProtocolRevision.of(revision).orElseThrow());
        call(transport, "echo", "{}");

        assertThat(
                        server.received("tools/call")
                                .getFirst()
                                .headers()
                                .containsKey("mcp-protocol-version"))
                .isEqualTo(sent);
    }

    @Test
    void aForgottenSessionIsReported() throws InterruptedException {
        FakeHttpServer server = server(script().sessions());
        Transport transport = open(server);
        initialize(transport);
        server.forgetSessions();

        assertThatThrownBy(() -> call(transport, "echo", "{}"))
                .isInstanceOf(SessionExpiredException.class)
                .matches(e -> !((TransportException) e).delivered());
    }

    @Test
    void aForgottenSessionIsRecognisedInTheAnswersOfOlderServers() throws InterruptedException {
        FakeHttpServer server = server(script().sessions());
        Transport transport = open(server);
        initialize(transport);
        server.answerNext(
                "tools/call",
                Answer.of(
                        400,
                        "application/json",
                        """
                        {"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "Bad Request: No valid session ID provided"}}
                        """));

        assertThatThrownBy(() -> call(transport, "echo", "{}"))
                .isInstanceOf(SessionExpiredException.class);
    }

    @Test
    void closeDeletesTheSession() throws InterruptedException {
        FakeHttpServer server = server(script().sessions().getStream());
        Transport transport = open(server);
        initialize(transport);
        await().until(() -> server.listeners() == 1);

        transport.close();

        assertThat(server.sessions()).isEmpty();
        assertThat(transport.isOpen()).isFalse();
        assertThat(listener.closed()).isEmpty();
        assertThatThrownBy(() -> call(transport, "echo", "{}"))
                .isInstanceOf(TransportException.class);
    }

    @Test
    void closeFailsWhatWaits() throws Exception {
        FakeHttpServer server = server(script());
        Transport transport = open(server);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<JsonNode> waiting = callers.submit(() -> call(transport, "never", "{}"));
            await().until(() -> !server.received("tools/call").isEmpty());
            transport.close();
            assertThatThrownBy(waiting::get)
                    .hasCauseInstanceOf(TransportException.class)
                    .hasRootCauseMessage("Connection to the server was closed");
        }
    }

    @Test
    void messagesOfTheServerComeOverItsOwnStreamAndAfterAReconnect() throws InterruptedException {
        FakeHttpServer server = server(script().getStream());
        Transport transport = open(server);
        transport.negotiated(ProtocolRevision.V2025_11_25);
        await().until(() -> server.listeners() == 1);

        server.addTool("one");
        await().until(() -> listener.notifications().size() == 1);
        server.dropListeners();
        // It may come back before a look finds that it was gone.
        await().until(() -> server.listeners() == 1 && gets(server) == 2);
        server.addTool("two");

        await().untilAsserted(
                        () ->
                                assertThat(listener.notifications())
                                        .containsExactly(
                                                "notifications/tools/list_changed",
                                                "notifications/tools/list_changed"));
    }

    private static long gets(FakeHttpServer server) {
        return server.received().stream().filter(r -> r.httpMethod().equals("GET")).count();
    }

    @Test
    void aStreamIsOpenedAgainThoughTheServerWantsNoPause() throws InterruptedException {
        FakeHttpServer server = server(script().getStream());
        server.answerNext("GET", Answer.of(200, "text/event-stream", "retry: 0\n\n"));
        Transport transport = open(server);

        transport.negotiated(ProtocolRevision.V2025_11_25);

        await().until(() -> server.listeners() == 1);
    }

    @Test
    void aServerWithoutAStreamIsAskedOnce() throws InterruptedException {
        FakeHttpServer server = server(script());
        Transport transport = open(server);
        transport.negotiated(ProtocolRevision.V2025_11_25);

        await().until(() -> server.received().stream().anyMatch(r -> r.httpMethod().equals("GET")));
        assertThat(text(call(transport, "echo", "{}"))).isEqualTo("echo");
        assertThat(transport.isOpen()).isTrue();
    }

    @Test
    void requestsOfTheServerInAnAnswerAreAnswered() throws InterruptedException {
        Transport transport = open(server(script().sse()));

        JsonNode answers = call(transport, "ask", "{}").path("structuredContent");

        assertThat(answers.at("/ping/result")).isEqualTo(Json.MAPPER.createObjectNode());
        assertThat(answers.at("/roots~1list/error/code").intValue()).isEqualTo(-32601);
    }

    @Test
    void noiseInAStreamIsSkippedAndCounted() throws InterruptedException {
        Transport transport = open(server(script().sse()));

        assertThat(text(call(transport, "garbage", "{}"))).isEqualTo("after garbage");

        assertThat(transport.stats().noiseLines()).isEqualTo(3);
        assertThat(transport.stats().unknownAnswers()).isEqualTo(2);
    }

    @Test
    void aBatchIsTakenApart() throws InterruptedException {
        Transport transport = open(server(script()));

        assertThat(text(call(transport, "batch", "{}"))).isEqualTo("batched");
        assertThat(listener.notifications()).containsExactly("notifications/message");
    }

    @Test
    void aStreamThatBreaksOffIsResumed() throws InterruptedException {
        FakeHttpServer server = server(script().breakStreams());
        Transport transport = open(server);

        assertThat(text(call(transport, "echo", "{}"))).isEqualTo("echo");
        assertThat(server.received("tools/call")).hasSize(1);
    }

    /**
     * The refusal belongs to the stream: the call itself was received before, and may have had
     * effects.
     */
    @Test
    void aStreamThatCannotBeResumedIsNoCallThatWasNotDelivered() throws InterruptedException {
        FakeHttpServer server = server(script().breakStreams().sessions());
        Transport transport = open(server);
        transport.request("initialize", Json.MAPPER.createObjectNode(), TIMEOUT);
        server.answerNext("GET", Answer.of(404, "text/plain", "gone"));

        assertThatThrownBy(() -> call(transport, "echo", "{}"))
                .isInstanceOf(TransportException.class)
                .isNotInstanceOf(SessionExpiredException.class)
                .matches(e -> ((TransportException) e).delivered());
    }

    @Test
    void aTimeoutNotifiesTheServerAndLeavesTheConnectionUsable() throws InterruptedException {
        FakeHttpServer server = server(script());
        Transport transport = open(server);
        OutgoingRequest never =
                new OutgoingRequest(
                        "tools/call", Json.MAPPER.createObjectNode().put("name", "never"));
        RequestDeadline deadline = RequestDeadline.after(Duration.ofMillis(200));
        deadline.pause();
        FutureTask<JsonNode> call = new FutureTask<>(() -> transport.request(never, deadline));
        Thread.startVirtualThread(call);
        // The time of a request that was not sent is over without a word to the server.
        await().until(() -> server.received("tools/call").size() == 1);

        deadline.resume();

        assertThatThrownBy(call::get).hasCauseInstanceOf(RequestTimeoutException.class);
        await().until(() -> server.received("notifications/cancelled").size() == 1);
        assertThat(
                        server.received("notifications/cancelled")
                                .getFirst()
                                .body()
                                .at("/params/requestId"))
                .isEqualTo(server.received("tools/call").getFirst().body().path("id"));
        assertThat(text(call(transport, "echo", "{}"))).isEqualTo("echo");
    }

    @Test
    void anErrorOfTheServerKeepsItsCodeAndItsData() throws InterruptedException {
        Transport transport = open(server(script()));

        assertThatThrownBy(() -> call(transport, "error", "{}"))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        e -> assertThat(e.error().data()).hasToString("{\"detail\":0.10}"));
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void refusedCredentialsAreNamedButNotShown(int status) throws InterruptedException {
        FakeHttpServer server = server(script());
        Transport transport = open(server);
        server.answerNext(
                "initialize",
                new Answer(
                        status,
                        Map.of(
                                "WWW-Authenticate",
                                "Bearer realm=\"x\", token=\""
                                        + TOKEN
                                        + "\", error_description=\"Token "
                                        + TOKEN
                                        + " has expired\""),
                        "you sent " + TOKEN));

        assertThatThrownBy(() -> initialize(transport))
                .isInstanceOf(HttpStatusException.class)
                .hasMessageContaining("HTTP " + status)
                // H-28
                .hasMessageContaining("(it wants \"Bearer\" and says \"Token *** has expired\")")
                .hasMessageContaining("spec.auth")
                .hasMessageNotContaining(TOKEN)
                .matches(e -> !((TransportException) e).delivered());
    }

    @Test
    void overloadIsReportedWithItsAdvice() throws InterruptedException {
        FakeHttpServer server = server(script());
        Transport transport = open(server);
        server.answerNext("tools/call", new Answer(429, Map.of("Retry-After", "7"), "slow down"));

        assertThatThrownBy(() -> call(transport, "echo", "{}"))
                .hasMessageContaining("HTTP 429")
                .hasMessageContaining("retry after 7")
                .matches(e -> !((TransportException) e).delivered());
    }

    @Test
    void aFailureOfTheServerMayHaveHappenedAfterTheWork() throws InterruptedException {
        FakeHttpServer server = server(script());
        Transport transport = open(server);
        server.answerNext("tools/call", Answer.of(500, "text/plain", "boom, token " + TOKEN));

        assertThatThrownBy(() -> call(transport, "echo", "{}"))
                .hasMessageContaining("HTTP 500")
                .hasMessageContaining("boom, token ***")
                .matches(e -> ((TransportException) e).delivered());
    }

    @Test
    void anAnswerThatIsNoMessageIsShownWithItsContentType() throws InterruptedException {
        FakeHttpServer server = server(script());
        Transport transport = open(server);
        server.answerNext(
                "tools/call", Answer.of(200, "text/html", "<html>\n<h1>Welcome</h1></html>"));

        assertThatThrownBy(() -> call(transport, "echo", "{}"))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("\"text/html\"")
                .hasMessageContaining("\"<html> <h1>Welcome</h1></html>\"");
    }

    @Test
    void anEmptySuccessIsNoAnswer() throws InterruptedException {
        FakeHttpServer server = server(script());
        Transport transport = open(server);
        server.answerNext("tools/call", new Answer(204, Map.of(), ""));

        assertThatThrownBy(() -> call(transport, "echo", "{}"))
                .hasMessageContaining("HTTP 204")
                .hasMessageContaining("without an answer");
    }

    @Test
    void aDroppedConnectionFailsTheRequestAtOnce() throws InterruptedException {
        Transport transport = open(server(script()));

        assertThatThrownBy(() -> call(transport, "exit", "{}"))
                .isInstanceOf(TransportException.class)
                .matches(e -> ((TransportException) e).delivered());
        assertThat(text(call(transport, "echo", "{}"))).isEqualTo("echo");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAnswerBeyondTheLimitIsRefused(boolean sse) throws InterruptedException {
        FakeHttpServer server = server(sse ? script().sse() : script());
        Transport transport =
                new StreamableHttpTransport(
                        StandardTransports.newClient(
                                new EndpointResolver(EndpointAddresses.DEFAULT),
                                java.util.Optional::empty),
                        new ServerAddress.Http(server.endpoint(), Map.of()),
                        RequestAuthorization.NONE,
                        Executors.newSingleThreadScheduledExecutor(),
                        log,
                        "small",
                        new MessageLimits(10_000, ReadBudget.ofHeap(64 << 20)));
        resources.push(transport);
        transport.open(listener);

        assertThatThrownBy(() -> call(transport, "huge", "{\"bytes\": 10001}"))
                .hasMessageContaining("longer than 10000 bytes");
        assertThat(text(call(transport, "echo", "{}"))).isEqualTo("echo");
    }

    /** H-17: what is not looked up at apply is refused before a connection is made. */
    @ParameterizedTest
    @ValueSource(strings = {"169.254.169.254", "[::ffff:169.254.169.254]", "[fe80::1]"})
    void metadataServicesAreNotConnectedTo(String host) throws InterruptedException {
        Transport transport =
                transports.create(
                        new ServerAddress.Http(
                                URI.create("http://%s/latest/meta-data".formatted(host)), Map.of()),
                        log,
                        "cloud");
        resources.push(transport);
        transport.open(listener);

        assertThatThrownBy(() -> call(transport, "echo", "{}"))
                .isInstanceOf(TransportException.class)
                .matches(e -> !((TransportException) e).delivered())
                .hasMessageContainingAll("link-local", "--endpoint-allow");
    }

    @Test
    void aServerThatIsNotThereDidNotGetTheRequest() throws Exception {
        Socket bound = new Socket();
        resources.push(bound);
        // The port stays taken, and refuses connections.
        bound.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
        int port = bound.getLocalPort();
        Transport transport = open(URI.create("http://127.0.0.1:" + port + "/mcp?key=" + TOKEN));

        assertThatThrownBy(() -> initialize(transport))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("127.0.0.1:" + port)
                .hasMessageContaining("refused")
                .hasMessageNotContaining(TOKEN)
                .matches(e -> !((TransportException) e).delivered());
    }

    @Test
    void aRedirectWithinTheServerIsFollowed() throws InterruptedException {
        FakeHttpServer server = server(script());
        Transport transport = open(server);
        server.answerNext("tools/call", new Answer(307, Map.of("Location", "/mcp/"), ""));

        assertThat(text(call(transport, "echo", "{}"))).isEqualTo("echo");
    }

    @Test
    void aRedirectToAnotherHostIsNotFollowed() throws InterruptedException {
        FakeHttpServer server = server(script());
        FakeHttpServer other = server(script());
        Transport transport = open(server);
        server.answerNext(
                "tools/call", new Answer(307, Map.of("Location", other.endpoint().toString()), ""));

        assertThatThrownBy(() -> call(transport, "echo", "{}"))
                .hasMessageContaining("redirects to \"" + other.endpoint() + "\"");
        assertThat(other.received()).isEmpty();
    }

    @Test
    void aRejectedNotificationIsAnError() throws InterruptedException {
        FakeHttpServer server = server(script());
        Transport transport = open(server);
        server.answerNext("notifications/initialized", Answer.of(500, "text/plain", "no"));

        assertThatThrownBy(() -> transport.notify("notifications/initialized", null))
                .isInstanceOf(HttpStatusException.class);
    }

    @Test
    void cookiesStayWithTheirConnection() throws InterruptedException {
        FakeHttpServer server = server(script());
        Transport transport = open(server);
        server.answerNext(
                "ping",
                new Answer(
                        200,
                        Map.of(
                                "Set-Cookie",
                                "lb=node7; Path=/",
                                "Content-Type",
                                "application/json"),
                        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}"));
        transport.request("ping", null, TIMEOUT);

        call(transport, "echo", "{}");
        call(open(server), "echo", "{}");

        assertThat(server.received("tools/call").getFirst().headers())
                .containsEntry("cookie", "lb=node7");
        assertThat(server.received("tools/call").getLast().headers()).doesNotContainKey("cookie");
    }

    private static FakeScript script() {
        return FakeScript.wellBehaved();
    }

    private FakeHttpServer server(FakeScript script) {
        FakeHttpServer server = FakeHttpServer.start(script);
        resources.addLast(server);
        return server;
    }

    private Transport open(FakeHttpServer server) throws InterruptedException {
        return open(server.endpoint());
    }

    private Transport open(URI endpoint) throws InterruptedException {
        Transport transport =
                transports.create(
                        new ServerAddress.Http(
                                endpoint, Map.of("Authorization", "Bearer " + TOKEN)),
                        log,
                        "fake");
        resources.push(transport);
        transport.open(listener);
        return transport;
    }

    private static void initialize(Transport transport) throws InterruptedException {
        transport.request("initialize", Json.MAPPER.createObjectNode(), TIMEOUT);
        transport.negotiated(ProtocolRevision.V2025_11_25);
    }

    private static JsonNode call(Transport transport, String tool, String arguments)
            throws InterruptedException {
        ObjectNode params = Json.MAPPER.createObjectNode().put("name", tool);
        params.set("arguments", Json.MAPPER.readTree(arguments));
        return transport.request("tools/call", params, TIMEOUT);
    }

    private static String text(JsonNode result) {
        return result.at("/content/0/text").stringValue();
    }
}
