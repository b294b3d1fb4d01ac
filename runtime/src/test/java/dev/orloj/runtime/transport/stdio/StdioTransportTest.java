package dev.orloj.runtime.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.reading.ReadBudget;
import dev.orloj.runtime.testkit.Engines;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.runtime.testkit.Processes;
import dev.orloj.runtime.transport.RecordingListener;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.TransportListener;
import dev.orloj.runtime.transport.standard.StandardTransports;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.Supervisor;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class StdioTransportTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration GRACE = Duration.ofSeconds(2);

    @TempDir Path folder;

    private final Supervisor supervisor = new Supervisor();
    private final LogBuffer log = new LogBuffer(InstantSource.system());
    private final RecordingListener listener = new RecordingListener();
    private final List<Transport> opened = new ArrayList<>();

    @AfterEach
    void stop() {
        opened.forEach(Transport::close);
        supervisor.close();
    }

    @Test
    void resultsComeBackAsTheyWereSent() throws InterruptedException {
        Transport transport = open(FakeScript.wellBehaved());

        JsonNode result = call(transport, "exotic", "{}");

        assertThat(result.toString())
                .contains("0.1234567890123456789012345", "9007199254740993", "1.50")
                .contains(
                        "12345678901234567890123",
                        "\"video\"",
                        "\"resultKind\"",
                        "\"nothing\":null");
        assertThat(initialize(transport).at("/capabilities/tools/sparkle").toString())
                .isEqualTo("1.50");
    }

    @Test
    void aThousandConcurrentRequestsEachGetTheirOwnAnswer() throws Exception {
        Transport transport = open(FakeScript.wellBehaved());
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<JsonNode>> answers = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                String arguments = "{\"n\": " + i + ", \"padding\": \"" + "x".repeat(i) + "\"}";
                answers.add(callers.submit(() -> call(transport, "echo", arguments)));
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get().at("/structuredContent/n").intValue()).isEqualTo(i);
            }
        }
        assertThat(transport.stats().unknownAnswers()).isZero();
    }

    @Test
    void noiseOnStdoutIsSkippedCountedAndShown() throws InterruptedException {
        Transport transport =
                open(FakeScript.wellBehaved().banner("Fake server v1", "", "listening on stdio"));

        JsonNode result = call(transport, "garbage", "{}");

        assertThat(text(result)).isEqualTo("after garbage");
        // Three lines of banner; a blank line, text, JSON that is no message and a broken line.
        assertThat(transport.stats().noiseLines()).isEqualTo(7);
        assertThat(transport.stats().unknownAnswers()).isEqualTo(2);
        assertThat(logged()).anyMatch(line -> line.contains("Fake server v1"));
    }

    @Test
    void aSecondAnswerIsDroppedAndCounted() throws InterruptedException {
        Transport transport = open(FakeScript.wellBehaved());

        assertThat(text(call(transport, "twice", "{}"))).isEqualTo("first");
        assertThat(text(call(transport, "echo", "{}"))).isEqualTo("echo");

        // The server answers side by side: the second answer may come after the echo.
        await().untilAsserted(() -> assertThat(transport.stats().unknownAnswers()).isEqualTo(1));
    }

    @Test
    void aBatchIsTakenApart() throws InterruptedException {
        Transport transport = open(FakeScript.wellBehaved());

        assertThat(text(call(transport, "batch", "{}"))).isEqualTo("batched");

        assertThat(listener.notifications()).containsExactly("notifications/message");
        assertThat(transport.stats().noiseLines()).isEqualTo(1);
    }

    @Test
    void anErrorOfTheServerKeepsItsCodeAndItsData() throws InterruptedException {
        Transport transport = open(FakeScript.wellBehaved());

        assertThatThrownBy(() -> call(transport, "error", "{}"))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        e -> {
                            assertThat(e.error().code()).isEqualTo(-32042);
                            assertThat(e.error().data()).hasToString("{\"detail\":0.10}");
                        });
    }

    @Test
    void deathOfTheServerFailsAllThatWaitWithItsExitCode() throws Exception {
        Transport transport = open(FakeScript.wellBehaved());
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<JsonNode> waiting = callers.submit(() -> call(transport, "never", "{}"));
            await().until(() -> transport.stats().bytesOut() > 0);
            assertThatThrownBy(() -> call(transport, "exit", "{\"code\": 3}"))
                    .isInstanceOf(TransportException.class)
                    .hasMessage("Server process ended with exit code 3")
                    .matches(e -> ((TransportException) e).delivered());
            assertThatThrownBy(waiting::get)
                    .hasRootCauseMessage("Server process ended with exit code 3");
        }
        assertThat(transport.isOpen()).isFalse();
        await().until(() -> listener.closed().size() == 1);
        assertThatThrownBy(() -> call(transport, "echo", "{}"))
                .isInstanceOf(TransportException.class)
                .matches(e -> !((TransportException) e).delivered());
    }

    @Test
    void aServerThatDiesAtItsStartLeavesItsLastWordsInTheLog() throws InterruptedException {
        Transport transport =
                open(FakeScript.wellBehaved().stderr("No API key given").exitAtStart(7));

        await().until(() -> listener.closed().size() == 1);

        assertThat(listener.closed().getFirst())
                .hasMessage("Server process ended with exit code 7");
        assertThat(logged()).containsExactly("No API key given");
        assertThatThrownBy(() -> initialize(transport)).isInstanceOf(TransportException.class);
    }

    @Test
    void aTimeoutNotifiesTheServerAndLeavesTheConnectionUsable() throws InterruptedException {
        FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved());
        Transport transport = open(server, MessageLimits.usual());

        assertThatThrownBy(() -> call(transport, "never", "{}", Duration.ofMillis(300)))
                .isInstanceOf(RequestTimeoutException.class)
                .hasMessage("No answer to \"tools/call\" within 300 ms");

        assertThat(text(call(transport, "echo", "{}"))).isEqualTo("echo");
        JsonNode cancelled =
                server.received().stream()
                        .filter(m -> m.path("method").asString("").endsWith("/cancelled"))
                        .findFirst()
                        .orElseThrow();
        assertThat(cancelled.at("/params/requestId")).isEqualTo(idOf(server, "never"));
    }

    @Test
    void anInterruptNotifiesTheServerToo() throws Exception {
        FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved());
        Transport transport = open(server, MessageLimits.usual());
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<JsonNode> waiting = callers.submit(() -> call(transport, "never", "{}"));
            await().until(() -> server.receivedMethods().contains("tools/call"));
            waiting.cancel(true);
        }
        await().until(() -> server.receivedMethods().contains("notifications/cancelled"));
    }

    @Test
    void initializeIsNeverCancelled() throws InterruptedException {
        FakeStdioServer server =
                FakeStdioServer.in(folder, FakeScript.wellBehaved().silentOn("initialize"));
        Transport transport = open(server, MessageLimits.usual());

        assertThatThrownBy(() -> transport.request("initialize", null, Duration.ofMillis(100)))
                .isInstanceOf(RequestTimeoutException.class);

        transport.request("ping", null, TIMEOUT);
        assertThat(server.receivedMethods()).containsExactly("initialize", "ping");
    }

    @Test
    void aServerThatDoesNotReadDelaysNoCallBeyondItsTimeout() throws InterruptedException {
        Transport transport = open(FakeScript.wellBehaved().stopReading());
        initialize(transport);
        String large = "{\"message\": \"" + "x".repeat(1_000_000) + "\"}";

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> call(transport, "echo", large, Duration.ofMillis(200)))
                    .isInstanceOf(RequestTimeoutException.class);
        }
    }

    @Test
    void aLargeAnswerIsReadWhole() throws InterruptedException {
        Transport transport = open(FakeScript.wellBehaved());

        JsonNode result = call(transport, "huge", "{\"bytes\": 12000000}");

        assertThat(text(result)).hasSize(12_000_000);
        assertThat(text(call(transport, "echo", "{}"))).isEqualTo("echo");
    }

    @Test
    void anAnswerBeyondTheLimitEndsTheConnectionWithAReason() throws InterruptedException {
        FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved());
        Transport transport = open(server, new MessageLimits(100_000, ReadBudget.ofHeap(64 << 20)));

        assertThatThrownBy(() -> call(transport, "huge", "{\"bytes\": 100001}"))
                .hasMessage(
                        "Server sent a message longer than 100000 bytes"
                                + " (spec.max_message_bytes, orloj.messages.max-size)");

        transport.close();
        assertThat(Processes.withCommandLine(server.mark())).isEmpty();
    }

    @Test
    void aServerWithoutStderrIsServed() throws InterruptedException {
        Transport transport = open(FakeScript.wellBehaved().closeStderr());

        assertThat(text(call(transport, "echo", "{}"))).isEqualTo("echo");
    }

    @Test
    void requestsOfTheServerAreAnswered() throws InterruptedException {
        Transport transport = open(FakeScript.wellBehaved());

        JsonNode answers = call(transport, "ask", "{}").path("structuredContent");

        assertThat(answers.at("/ping/result")).isEqualTo(Json.MAPPER.createObjectNode());
        assertThat(answers.at("/roots~1list/error/code").intValue()).isEqualTo(-32601);
    }

    @Test
    void notificationsReachTheListener() throws InterruptedException {
        Transport transport = open(FakeScript.wellBehaved());

        call(transport, "add_tool", "{\"name\": \"new\"}");

        assertThat(listener.notifications()).containsExactly("notifications/tools/list_changed");
    }

    @Test
    void aListenerThatFailsDoesNotEndTheConnection() throws InterruptedException {
        FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved());
        Transport transport =
                new StandardTransports(supervisor, Engines.unused())
                        .create(
                                new ServerAddress.Stdio(server.command(), Map.of(), GRACE),
                                log,
                                "fake");
        opened.add(transport);
        transport.open(
                new TransportListener() {
                    @Override
                    public void onNotification(String method, @Nullable JsonNode params) {
                        throw new IllegalStateException("listener is broken");
                    }

                    @Override
                    public void onClosed(TransportException cause) {}
                });

        call(transport, "add_tool", "{\"name\": \"new\"}");

        assertThat(text(call(transport, "echo", "{}"))).isEqualTo("echo");
    }

    @Test
    void stderrGoesToTheLog() throws InterruptedException {
        Transport transport = open(FakeScript.wellBehaved().stderr("starting", "ready"));

        call(transport, "log", "{\"text\": \"called\"}");

        await().untilAsserted(
                        () -> assertThat(logged()).containsExactly("starting", "ready", "called"));
    }

    @Test
    void aMissingCommandIsNamedWithThePathThatWasSearched() {
        Transport transport =
                new StandardTransports(supervisor, Engines.unused())
                        .create(
                                new ServerAddress.Stdio(
                                        List.of("no-such-server", "--flag"),
                                        Map.of("PATH", "/nowhere"),
                                        GRACE),
                                log,
                                "missing");

        assertThatThrownBy(() -> transport.open(listener))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("\"no-such-server\" not found")
                .hasMessageContaining("\"/nowhere\"");
        assertThat(transport.isOpen()).isFalse();
    }

    @Test
    void closeFailsWhatWaitsAndIsNoDeath() throws Exception {
        FakeStdioServer server = FakeStdioServer.in(folder, FakeScript.wellBehaved());
        Transport transport = open(server, MessageLimits.usual());
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<JsonNode> waiting = callers.submit(() -> call(transport, "never", "{}"));
            await().until(() -> server.receivedMethods().contains("tools/call"));
            transport.close();
            assertThatThrownBy(waiting::get).hasCauseInstanceOf(TransportException.class);
        }
        assertThat(transport.isOpen()).isFalse();
        assertThat(transport.pid()).isEmpty();
        assertThat(supervisor.alive()).isEmpty();
        assertThat(listener.closed()).isEmpty();
    }

    @Test
    void thePidIsTheOneOfTheServerItself() throws InterruptedException {
        Transport transport = open(FakeScript.wellBehaved());

        String pid = text(call(transport, "pid", "{}"));

        assertThat(transport.pid()).contains(Long.parseLong(pid));
    }

    private Transport open(FakeScript script) throws InterruptedException {
        return open(FakeStdioServer.in(folder, script), MessageLimits.usual());
    }

    private Transport open(FakeStdioServer server, MessageLimits limits)
            throws InterruptedException {
        Transport transport =
                new StdioTransport(
                        () -> supervisor.start(server.command(), Map.of()),
                        log,
                        "fake",
                        GRACE,
                        limits);
        opened.add(transport);
        transport.open(listener);
        return transport;
    }

    private static JsonNode initialize(Transport transport) throws InterruptedException {
        return transport.request("initialize", Json.MAPPER.createObjectNode(), TIMEOUT);
    }

    private static JsonNode call(Transport transport, String tool, String arguments)
            throws InterruptedException {
        return call(transport, tool, arguments, TIMEOUT);
    }

    private static JsonNode call(
            Transport transport, String tool, String arguments, Duration timeout)
            throws InterruptedException {
        ObjectNode params = Json.MAPPER.createObjectNode().put("name", tool);
        params.set("arguments", Json.MAPPER.readTree(arguments));
        return transport.request("tools/call", params, timeout);
    }

    private static String text(JsonNode result) {
        return result.at("/content/0/text").stringValue();
    }

    private static JsonNode idOf(FakeStdioServer server, String tool) {
        return server.received().stream()
                .filter(message -> message.at("/params/name").asString("").equals(tool))
                .findFirst()
                .orElseThrow()
                .path("id");
    }

    private List<String> logged() {
        return log.tail(100).stream().map(LogBuffer.Line::text).toList();
    }
}
