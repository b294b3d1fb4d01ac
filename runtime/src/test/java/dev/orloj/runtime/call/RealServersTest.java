package dev.orloj.runtime.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.result.KeptResults;
import dev.orloj.runtime.result.ResultLimiter;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.SessionOpenException;
import dev.orloj.runtime.session.TestSessions;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.testkit.Processes;
import dev.orloj.runtime.testkit.RealSessions;
import dev.orloj.runtime.testkit.RecordedSessions;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.workload.LogBuffer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;

/** The whole way of a call, to a child process and to an HTTP server. */
@Timeout(120)
class RealServersTest {

    private static final ResourceKey SERVER = new ResourceKey("default", "fake");

    @TempDir private Path folder;

    private final RecordedSessions listener = new RecordedSessions();
    private final RealSessions real = new RealSessions(listener);
    private final SessionManager sessions = real.manager();
    private final ToolCatalog catalog = new ToolCatalog();
    private final ToolCaller caller =
            new ToolCaller(
                    catalog,
                    new ServerExchange(catalog, sessions, OtherReplicas.NONE),
                    new ResultLimiter(new KeptResults(real.clock())),
                    call -> {},
                    real.clock());

    private FakeStdioServer child;

    @BeforeEach
    void makeServer() {
        child = FakeStdioServer.in(folder, FakeScript.wellBehaved());
    }

    @AfterEach
    void leaveNothing() {
        real.close();
        assertThat(Processes.withCommandLine(child.mark())).isEmpty();
    }

    @Test
    void resultOfAChildComesAsItWasSent() throws Exception {
        know(stdio(Duration.ZERO));

        CallOutcome outcome = call("exotic", "{}");

        assertThat(result(outcome).toString())
                .contains("9007199254740993", "0.1234567890123456789012345", "1.50", "unheard-of")
                .contains("12345678901234567890123", "\"nothing\":null", "[1,2.0,3E+2]");
        assertThat(child.receivedMethods())
                .containsExactly(
                        "server/discover", "initialize", "notifications/initialized", "tools/call");
    }

    @Test
    void hundredConcurrentFirstCallsStartOneProcess() throws Exception {
        know(stdio(Duration.ZERO));
        List<FutureTask<CallOutcome>> calls = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String arguments = "{\"n\": %d}".formatted(i);
            calls.add(new FutureTask<>(() -> call("echo", arguments)));
        }

        calls.forEach(Thread::startVirtualThread);

        for (int i = 0; i < 100; i++) {
            assertThat(result(calls.get(i).get()).path("structuredContent").path("n").asInt())
                    .isEqualTo(i);
        }
        assertThat(child.receivedMethods()).filteredOn("initialize"::equals).hasSize(1);
    }

    @Test
    void childThatDiesDuringACallFailsItAndTheNextCallWorks() throws Exception {
        know(stdio(Duration.ZERO));
        String before = text(call("pid", "{}"));

        CallOutcome outcome = call("exit", "{\"code\": 3}");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        CallOutcome.ServerUnavailable.class,
                        unavailable -> {
                            assertThat(unavailable.delivered()).isTrue();
                            assertThat(unavailable.refusal().message()).contains("3");
                        });
        assertThat(text(call("pid", "{}"))).isNotEqualTo(before);
    }

    @Test
    void retireLeavesNoProcess() throws Exception {
        know(stdio(Duration.ZERO));
        call("echo", "{}");
        assertThat(Processes.withCommandLine(child.mark())).isNotEmpty();

        TestSessions.retire(sessions, SERVER);

        assertThat(Processes.withCommandLine(child.mark())).isEmpty();
    }

    @Test
    void changedServerLeavesOneProcess() throws Exception {
        ServerDefinition first = stdio(Duration.ZERO);
        know(first);
        String before = text(call("pid", "{}"));
        catalog.putServer(Definitions.generation(first, 2));

        String after = text(call("pid", "{}"));

        assertThat(after).isNotEqualTo(before);
        await().untilAsserted(
                        () ->
                                assertThat(sessions.sessions(SERVER))
                                        .extracting(SessionInfo::generation)
                                        .containsExactly(2L));
        assertThat(Processes.isAlive(Long.parseLong(before))).isFalse();
    }

    @Test
    void idleChildIsGoneAndComesBackWithTheNextCall() throws Exception {
        know(stdio(Duration.ofMillis(200)));
        String before = text(call("pid", "{}"));

        await().untilAsserted(
                        () ->
                                assertThat(Processes.withCommandLine(child.mark()))
                                        .as("processes")
                                        .isEmpty());

        assertThat(text(call("pid", "{}"))).isNotEqualTo(before);
    }

    @Test
    void callLongerThanTheIdleTimeoutFinishes() throws Exception {
        know(stdio(Duration.ofMillis(100)));

        assertThat(text(call("sleep", "{\"millis\": 600}"))).isEqualTo("slept");
    }

    @Test
    void childThatDoesNotStartReportsItsLastLines() {
        ServerDefinition broken =
                server(
                        new ServerAddress.Stdio(
                                List.of("sh", "-c", "echo cannot find module >&2; exit 3"),
                                Map.of(),
                                Duration.ofSeconds(1)),
                        Duration.ZERO);

        assertThatThrownBy(() -> TestSessions.sessionFor(sessions, broken))
                .isInstanceOf(SessionOpenException.class);
        assertThat(sessions.log(broken.server()).tail(9))
                .extracting(LogBuffer.Line::text)
                .containsExactly("cannot find module");
    }

    @Test
    void timedOutCallLeavesTheSessionInGoodHealth() throws Exception {
        know(stdio(Duration.ZERO));

        assertThat(call("never", "{}", Optional.of(Duration.ofMillis(200))))
                .isInstanceOf(CallOutcome.TimedOut.class);

        assertThat(text(call("add", "{\"a\": 1, \"b\": 2}"))).isEqualTo("3");
        assertThat(child.receivedMethods())
                .contains("notifications/cancelled")
                .filteredOn("initialize"::equals)
                .hasSize(1);
    }

    @Test
    void changedToolsAreAnnounced() throws Exception {
        know(stdio(Duration.ZERO));

        call("add_tool", "{\"name\": \"fresh\"}");

        await().untilAsserted(
                        () -> assertThat(listener.events()).contains("tools changed default/fake"));
        assertThat(
                        TestSessions.sessionFor(sessions, stdio(Duration.ZERO))
                                .discoverTools(Definitions.LISTING)
                                .tools())
                .extracting(tool -> tool.path("name").asString())
                .contains("fresh");
    }

    @Test
    void forgottenHttpSessionIsInitialisedOnceAgain() throws Exception {
        FakeScript script = FakeScript.wellBehaved().sessions();
        try (FakeHttpServer server = FakeHttpServer.start(script)) {
            know(server(new ServerAddress.Http(server.endpoint(), Map.of()), Duration.ZERO));
            call("echo", "{}");

            server.forgetSessions();

            assertThat(text(call("add", "{\"a\": 1.5, \"b\": 2}"))).isEqualTo("3.5");
            assertThat(server.received("initialize")).hasSize(2);
            TestSessions.retire(sessions, SERVER);
            assertThat(server.sessions()).isEmpty();
        }
    }

    @Test
    void deadHttpServerIsUnavailableAndNothingWasDelivered() throws Exception {
        FakeHttpServer server = FakeHttpServer.start(FakeScript.wellBehaved());
        know(server(new ServerAddress.Http(server.endpoint(), Map.of()), Duration.ZERO));
        call("echo", "{}");

        server.close();

        // The first ones may still go into connections that were kept open.
        await().untilAsserted(
                        () ->
                                assertThat(call("echo", "{}"))
                                        .isInstanceOfSatisfying(
                                                CallOutcome.ServerUnavailable.class,
                                                unavailable ->
                                                        assertThat(unavailable.delivered())
                                                                .isFalse()));
    }

    @Test
    void childOfTheNewestRevisionIsCalledWithoutAHandshake() throws Exception {
        child.rewrite(FakeScript.wellBehaved().stateless());
        know(stdio(Duration.ZERO));

        assertThat(text(call("add", "{\"a\": 1, \"b\": 2}"))).isEqualTo("3");

        assertThat(child.receivedMethods()).contains("server/discover", "tools/call");
        assertThat(child.receivedMethods()).doesNotContain("initialize", "ping");
        await().untilAsserted(
                        () -> {
                            call("add_tool", "{\"name\": \"fresh\"}"); // received once it listens
                            assertThat(listener.events()).contains("tools changed default/fake");
                        });
    }

    @Test
    void httpServerOfTheNewestRevisionGetsItsHeaders() throws Exception {
        FakeScript script = FakeScript.wellBehaved().stateless();
        try (FakeHttpServer server = FakeHttpServer.start(script)) {
            know(server(new ServerAddress.Http(server.endpoint(), Map.of()), Duration.ZERO));

            assertThat(text(call("add", "{\"a\": 1, \"b\": 2, \"region\": \"us-west1\"}")))
                    .isEqualTo("3");

            await().until(() -> server.subscribers() == 1);
            server.addTool("fresh");
            await().untilAsserted(
                            () ->
                                    assertThat(listener.events())
                                            .contains("tools changed default/fake"));
            assertThat(server.received()).noneMatch(r -> r.httpMethod().equals("GET"));
            assertThat(server.received("tools/call").getFirst().headers())
                    .containsEntry("mcp-param-region", "us-west1");
            TestSessions.retire(sessions, SERVER);
            assertThat(server.received()).noneMatch(r -> r.httpMethod().equals("DELETE"));
        }
    }

    private ServerDefinition stdio(Duration idleTimeout) {
        return server(
                new ServerAddress.Stdio(child.command(), Map.of(), Duration.ofSeconds(1)),
                idleTimeout);
    }

    private static ServerDefinition server(ServerAddress address, Duration idleTimeout) {
        ServerDefinition plain = Definitions.withAddress(Definitions.server("fake"), address);
        return Definitions.withIdleTimeout(plain, idleTimeout);
    }

    private void know(ServerDefinition server) {
        catalog.putServer(server);
    }

    private CallOutcome call(String tool, String arguments) throws InterruptedException {
        return call(tool, arguments, Optional.empty());
    }

    private CallOutcome call(String tool, String arguments, Optional<Duration> timeout)
            throws InterruptedException {
        ResourceKey key = new ResourceKey("default", "fake--" + tool);
        JsonNode schema =
                FakeTransports.json(
                        """
                        {"type": "object",
                         "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
                        """);
        catalog.putTool(
                new ToolEntry(key, key.name(), SERVER, tool, key.name(), schema, Optional.empty()));
        return caller.call(new CallRequest(key, FakeTransports.json(arguments), timeout, "test"));
    }

    private static JsonNode result(CallOutcome outcome) {
        assertThat(outcome).isInstanceOf(CallOutcome.Completed.class);
        return ((CallOutcome.Completed) outcome).result();
    }

    private static String text(CallOutcome outcome) {
        return result(outcome).path("content").get(0).path("text").asString();
    }
}
