package dev.orloj.runtime.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.network.AddressRotation;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.network.EndpointResolver;
import dev.orloj.runtime.oauth.RequestAuthorization;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.testkit.Engines;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.RecordingListener;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.standard.StandardTransports;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.Supervisor;

import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Servers of 2024-11-05: one stream of events for all that they say. */
@Timeout(60)
class SseTransportTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String TARGET = "/mcp?sessionId=7";

    private final Supervisor supervisor = new Supervisor();
    private final StandardTransports transports =
            new StandardTransports(supervisor, Engines.unused());
    private final RecordingListener listener = new RecordingListener();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
        transports.close();
        supervisor.close();
    }

    private FakeHttpServer server(FakeScript script) {
        FakeHttpServer server = FakeHttpServer.start(script);
        opened.add(server);
        return server;
    }

    private Transport open(FakeHttpServer server) throws InterruptedException {
        ServerAddress.Http stream =
                new ServerAddress.Http(server.endpoint(), Map.of("X-Team", "blue"));
        Transport transport =
                transports.create(
                        new ServerAddress.Sse(stream),
                        new LogBuffer(InstantSource.system()),
                        "test");
        opened.add(transport);
        transport.open(listener);
        return transport;
    }

    private static JsonNode call(Transport transport, String tool, String arguments)
            throws InterruptedException {
        return transport.request(
                "tools/call",
                FakeTransports.json(
                        "{\"name\": \"%s\", \"arguments\": %s}".formatted(tool, arguments)),
                TIMEOUT);
    }

    @Test
    void messagesGoWhereTheStreamSaysAndAnswersComeOnIt() throws Exception {
        FakeHttpServer server = server(FakeScript.wellBehaved().httpSse(TARGET));
        Transport transport = open(server);

        JsonNode sum = call(transport, "add", "{\"a\": 1, \"b\": 2}");

        assertThat(sum.at("/content/0/text").asString()).isEqualTo("3");
        assertThat(server.received())
                .extracting(FakeHttpServer.Received::httpMethod)
                .containsExactly("GET", "POST");
        assertThat(server.received())
                .allSatisfy(r -> assertThat(r.headers()).containsEntry("x-team", "blue"));
        assertThat(server.received("tools/call").getFirst().target()).isEqualTo(TARGET);
    }

    @Test
    void requestsGoSideBySide() throws Exception {
        Transport transport = open(server(FakeScript.wellBehaved().httpSse(TARGET)));

        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<JsonNode> slow =
                    callers.submit(() -> call(transport, "sleep", "{\"millis\": 500}"));
            JsonNode quick = call(transport, "add", "{\"a\": 2, \"b\": 2}");

            assertThat(quick.at("/content/0/text").asString()).isEqualTo("4");
            assertThat(slow.get().at("/content/0/text").asString()).isEqualTo("slept");
        }
    }

    @Test
    void errorOfTheServerIsOne() throws Exception {
        Transport transport = open(server(FakeScript.wellBehaved().httpSse(TARGET)));

        assertThatThrownBy(() -> call(transport, "error", "{}"))
                .isInstanceOf(JsonRpcException.class)
                .hasMessageContaining("Please log in");
    }

    @Test
    void unsolicitedMessagesAreReceived() throws Exception {
        FakeHttpServer server = server(FakeScript.wellBehaved().httpSse(TARGET));
        Transport transport = open(server);
        call(transport, "echo", "{}");

        server.addTool("fresh");

        await().untilAsserted(
                        () ->
                                assertThat(listener.notifications())
                                        .contains("notifications/tools/list_changed"));
    }

    @Test
    void endOfTheStreamIsTheEndOfTheConnection() throws Exception {
        FakeHttpServer server = server(FakeScript.wellBehaved().httpSse(TARGET));
        Transport transport = open(server);
        call(transport, "echo", "{}");

        server.dropListeners();

        await().until(() -> !transport.isOpen());
        await().untilAsserted(() -> assertThat(listener.closed()).hasSize(1));
        assertThatThrownBy(() -> call(transport, "echo", "{}"))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("closed its stream");
    }

    @Test
    void addressOfAnotherServerIsNotFollowed() throws Exception {
        FakeHttpServer other = server(FakeScript.wellBehaved());
        Transport transport =
                open(server(FakeScript.wellBehaved().httpSse(other.endpoint().toString())));

        assertThatThrownBy(() -> call(transport, "echo", "{}"))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("leads to another server");
        assertThat(other.received()).isEmpty();
    }

    @Test
    void endpointThatIsNoStreamSaysWhatItMayBe() throws Exception {
        FakeHttpServer server = server(FakeScript.wellBehaved());
        server.answerNext("GET", FakeHttpServer.Answer.of(200, "text/html", "<p>Hello</p>"));
        Transport transport = open(server);

        assertThatThrownBy(() -> call(transport, "echo", "{}"))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("no stream of events")
                .hasMessageContaining("spec.transport: http");
    }

    @Test
    void serverMayAcceptMessageWhenItsWorkIsDone() throws Exception {
        FakeHttpServer server = server(FakeScript.wellBehaved().httpSse(TARGET).acceptsLate());
        CloseableHttpClient client = HttpClients.createDefault();
        ScheduledExecutorService timer = new ShortTimer();
        opened.add(client);
        opened.add(timer);
        Transport transport =
                new SseTransport(
                        new EndpointClient(
                                client,
                                new AddressRotation(
                                        new EndpointResolver(EndpointAddresses.DEFAULT))),
                        new ServerAddress.Http(server.endpoint(), Map.of()),
                        RequestAuthorization.NONE,
                        timer,
                        new LogBuffer(InstantSource.system()),
                        "late",
                        MessageLimits.usual());
        opened.add(transport);
        transport.open(listener);

        JsonNode answer = call(transport, "sleep", "{\"millis\": 200}");

        assertThat(answer.at("/content/0/text").asString()).isEqualTo("slept");
    }

    @Test
    void messageThatIsNeverAcceptedCountsAgainstTheDeadlineOfItsRequest() throws Exception {
        Transport transport = open(server(FakeScript.wellBehaved().httpSse(TARGET).acceptsLate()));

        assertThatThrownBy(
                        () ->
                                transport.request(
                                        "tools/call",
                                        FakeTransports.json(
                                                """
                                                {"name": "sleep", "arguments": {"millis": 60000}}
                                                """),
                                        Duration.ofMillis(200)))
                .isInstanceOf(RequestTimeoutException.class);
    }

    /** All that is to happen later happens now. */
    private static final class ShortTimer extends ScheduledThreadPoolExecutor {

        ShortTimer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            return super.schedule(command, 0, unit);
        }
    }

    @Test
    void nothingIsLeftAfterTheClose() throws Exception {
        FakeHttpServer server = server(FakeScript.wellBehaved().httpSse(TARGET));
        Transport transport = open(server);
        call(transport, "echo", "{}");

        transport.close();
        server.addTool("noticed by the server when it writes");

        assertThat(transport.isOpen()).isFalse();
        assertThat(listener.closed()).as("closed on purpose").isEmpty();
    }
}
