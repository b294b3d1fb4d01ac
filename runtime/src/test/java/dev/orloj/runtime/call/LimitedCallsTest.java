package dev.orloj.runtime.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.limit.CallLimits;
import dev.orloj.runtime.limit.Limit;
import dev.orloj.runtime.limit.ProcessLimits;
import dev.orloj.runtime.observation.CallRecord;
import dev.orloj.runtime.result.KeptResults;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.result.ResultLimiter;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.TestSessions;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransport;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.testkit.ManualScheduler;
import dev.orloj.runtime.testkit.RecordedSessions;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** Calls under limits: one server's trouble is its own. */
@Timeout(30)
class LimitedCallsTest {

    private static final CallLimits ONE_AT_A_TIME =
            new CallLimits(1, 0, Duration.ZERO, Optional.empty(), Optional.empty());
    private static final CallLimits BREAKER =
            new CallLimits(
                    10,
                    0,
                    Duration.ZERO,
                    Optional.empty(),
                    Optional.of(
                            new CallLimits.Breaker(
                                    2, Duration.ofMinutes(1), Duration.ofMinutes(1))));

    private final FakeTransports transports = new FakeTransports();
    private final ManualScheduler clock = new ManualScheduler();
    private final ToolCatalog catalog = new ToolCatalog();
    private final SessionManager sessions =
            new SessionManager(
                    transports,
                    new RecordedSessions(),
                    clock,
                    () -> 0L,
                    new SessionSettings(
                            "1.2.3",
                            Duration.ofSeconds(30),
                            Duration.ofSeconds(5),
                            new ProcessLimits(3, 0)));
    private final List<CallRecord> records = new CopyOnWriteArrayList<>();
    private final ToolCaller caller =
            new ToolCaller(
                    catalog,
                    new ServerExchange(catalog, sessions, OtherReplicas.NONE),
                    new ResultLimiter(new KeptResults(clock)),
                    records::add,
                    clock);
    private final CountDownLatch go = new CountDownLatch(1);

    @AfterEach
    void leaveNothing() {
        go.countDown();
        sessions.close();
        assertThat(transports.open()).isEmpty();
    }

    @Test
    void callsBeyondTheLimitOfASlowServerAreRefusedAndOtherServersAnswer() throws Exception {
        know("slow", ONE_AT_A_TIME);
        know("quick", ONE_AT_A_TIME);
        holdCallsOf("slow");
        FutureTask<CallOutcome> held = start("slow");
        await().until(() -> transports.count("tools/call") == 1);

        CallOutcome refused = call("slow");

        assertThat(refused)
                .isEqualTo(
                        new CallOutcome.Refused(
                                new ResourceKey("default", "slow"),
                                Limit.MAX_CONCURRENT_CALLS,
                                "max_concurrent_calls is 1",
                                Duration.ofSeconds(1)));
        for (int i = 0; i < 50; i++) {
            assertThat(call("quick")).isInstanceOf(CallOutcome.Completed.class);
        }
        go.countDown();
        assertThat(held.get()).isInstanceOf(CallOutcome.Completed.class);
        assertThat(call("slow")).isInstanceOf(CallOutcome.Completed.class);
        assertThat(records).extracting(CallRecord::outcome).contains("RefusedByMaxConcurrentCalls");
    }

    @Test
    void callThatFindsNoRoomForAProcessIsRefusedAndIsNoFailureOfItsServer() throws Exception {
        for (String name : List.of("a", "b", "c")) {
            know(name, CallLimits.DEFAULT);
            assertThat(call(name)).isInstanceOf(CallOutcome.Completed.class);
        }
        know("d", BREAKER);

        for (int i = 0; i < 3; i++) {
            assertThat(call("d"))
                    .isInstanceOfSatisfying(
                            CallOutcome.Refused.class,
                            refused -> {
                                assertThat(refused.limit()).isEqualTo(Limit.MAX_PROCESSES);
                                assertThat(refused.refusal().why())
                                        .contains("--max-processes is 3");
                            });
        }

        TestSessions.retire(sessions, new ResourceKey("default", "a"));
        assertThat(call("d")).isInstanceOf(CallOutcome.Completed.class);
    }

    @Test
    void queuedCallsOfASlowServerHoldUpNoOtherServer() throws Exception {
        know(
                "slow",
                new CallLimits(1, 100, Duration.ofMinutes(1), Optional.empty(), Optional.empty()));
        know("quick", CallLimits.DEFAULT);
        holdCallsOf("slow");
        List<FutureTask<CallOutcome>> held = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            held.add(start("slow"));
        }
        await().until(() -> transports.count("tools/call") == 1);

        assertThat(call("quick")).isInstanceOf(CallOutcome.Completed.class);

        go.countDown();
        for (FutureTask<CallOutcome> call : held) {
            assertThat(call.get()).isInstanceOf(CallOutcome.Completed.class);
        }
    }

    @Test
    void brokenServerIsNotTriedAgainForAWhile() throws Exception {
        know("broken", BREAKER);
        know("sound", BREAKER);
        transports.on(
                "initialize",
                (connection, params) -> {
                    if (isOf(connection, "broken")) {
                        throw new TransportException("no such file", false);
                    }
                    return FakeTransports.initializeResult(params);
                });
        call("broken");
        call("broken");
        int made = transports.made().size();

        assertThat(call("broken"))
                .isInstanceOfSatisfying(
                        CallOutcome.Refused.class,
                        refused -> {
                            assertThat(refused.limit()).isEqualTo(Limit.CIRCUIT_BREAKER);
                            assertThat(refused.refusal().why())
                                    .startsWith("circuit_breaker is open")
                                    .doesNotContain("no such file");
                            assertThat(refused.refusal().message()).contains("no such file");
                        });
        assertThat(transports.made()).hasSize(made);
        assertThat(call("sound")).isInstanceOf(CallOutcome.Completed.class);
    }

    @Test
    void answersOfAnyKindAndTimeoutsDoNotOpenTheBreaker() throws Exception {
        know("sound", BREAKER);
        for (int i = 0; i < 5; i++) {
            answerWith("{\"isError\": true, \"content\": []}");
            assertThat(call("sound")).isInstanceOf(CallOutcome.Completed.class);
            transports.on(
                    "tools/call",
                    (connection, params) -> {
                        throw new JsonRpcException(new JsonRpcError(-32000, "no", null));
                    });
            assertThat(call("sound")).isInstanceOf(CallOutcome.ServerError.class);
            transports.on(
                    "tools/call",
                    (connection, params) -> {
                        throw new RequestTimeoutException("tools/call", Duration.ofSeconds(1));
                    });
            assertThat(call("sound")).isInstanceOf(CallOutcome.TimedOut.class);
            assertThat(caller.call(request("sound", "[]")))
                    .isInstanceOf(CallOutcome.InvalidArguments.class);
        }
        answerWith("{\"content\": []}");

        assertThat(call("sound")).isInstanceOf(CallOutcome.Completed.class);
    }

    @Test
    void changedServerIsTriedAtOnce() throws Exception {
        ServerDefinition server = know("broken", BREAKER);
        answerWithDeath();
        call("broken");
        call("broken");
        assertThat(call("broken")).isInstanceOf(CallOutcome.Refused.class);

        catalog.putServer(server);
        assertThat(call("broken")).isInstanceOf(CallOutcome.Refused.class);

        answerWith("{\"content\": []}");
        catalog.putServer(Definitions.generation(server, 2));
        assertThat(call("broken")).isInstanceOf(CallOutcome.Completed.class);
    }

    @Test
    void resultIsCutAsItsToolSaysElseAsItsServerDoes() throws Exception {
        ServerDefinition server =
                Definitions.withOutput(know("long", CallLimits.DEFAULT), new OutputLimit(4L, null));
        catalog.putServer(server);
        answerWith("{\"content\": [{\"type\": \"text\", \"text\": \"0123456789\"}]}");

        assertThat(text(call("long"))).startsWith("0123\n[cut by orloj after 4 of 10 bytes");
        putTool(server, new OutputLimit(6L, null));
        assertThat(text(call("long"))).startsWith("012345\n[cut by orloj after 6 of 10 bytes");
        putTool(server, new OutputLimit(10L, null));
        assertThat(text(call("long"))).isEqualTo("0123456789");
    }

    private static String text(CallOutcome outcome) {
        assertThat(outcome).isInstanceOf(CallOutcome.Completed.class);
        return ((CallOutcome.Completed) outcome).result().at("/content/0/text").asString();
    }

    private void putTool(ServerDefinition server, OutputLimit output) {
        catalog.putTool(
                new ToolEntry(
                        tool(server.server().name()),
                        "uid-" + server.server().name(),
                        server.server(),
                        "echo",
                        server.server().name() + "__echo",
                        FakeTransports.json("{}"),
                        Optional.empty(),
                        output,
                        Json.MAPPER.createObjectNode().put("name", "echo"),
                        ParameterHeaders.NONE,
                        Instant.EPOCH));
    }

    private ServerDefinition know(String name, CallLimits limits) {
        ServerDefinition server = Definitions.withLimits(Definitions.server(name), limits);
        catalog.putServer(server);
        putTool(server, OutputLimit.NONE);
        return server;
    }

    private void holdCallsOf(String server) {
        transports.on(
                "tools/call",
                (connection, params) -> {
                    if (isOf(connection, server)) {
                        go.await();
                    }
                    return FakeTransports.echo(params);
                });
    }

    private void answerWith(String result) {
        transports.on("tools/call", (connection, params) -> FakeTransports.json(result));
    }

    private void answerWithDeath() {
        transports.on(
                "tools/call",
                (connection, params) -> {
                    throw new TransportException("Server process ended", true);
                });
    }

    private static boolean isOf(FakeTransport connection, String server) {
        return connection.address() instanceof ServerAddress.Stdio stdio
                && stdio.command().getFirst().equals(server);
    }

    private FutureTask<CallOutcome> start(String server) {
        FutureTask<CallOutcome> task = new FutureTask<>(() -> call(server));
        Thread.startVirtualThread(task);
        return task;
    }

    private CallOutcome call(String server) throws InterruptedException {
        return caller.call(request(server, "{}"));
    }

    private static CallRequest request(String server, String arguments) {
        return new CallRequest(
                tool(server), FakeTransports.json(arguments), Optional.empty(), "test");
    }

    private static ResourceKey tool(String server) {
        return new ResourceKey("default", server + "--echo");
    }
}
