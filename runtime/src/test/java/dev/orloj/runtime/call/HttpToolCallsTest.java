package dev.orloj.runtime.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.argument.ArgumentMode;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.gateway.GatewayPath;
import dev.orloj.runtime.http.HttpTool;
import dev.orloj.runtime.http.HttpToolClient;
import dev.orloj.runtime.http.RequestParameter;
import dev.orloj.runtime.http.RequestTemplate;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.observation.CallId;
import dev.orloj.runtime.observation.CallRecord;
import dev.orloj.runtime.observation.CallTrace;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.reading.ReadBudget;
import dev.orloj.runtime.result.KeptResults;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.result.ResultLimiter;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.testkit.ManualScheduler;
import dev.orloj.runtime.testkit.RecordedSessions;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** H-19: calls of declared tools at endpoints, good ones and hostile ones. */
@Timeout(60)
class HttpToolCallsTest {

    private static final ResourceKey TOOL = new ResourceKey("default", "weather");
    private static final int MAX_BYTES = 1024 * 1024;

    /** What the endpoint got, and what it answers. */
    private record Received(String line, com.sun.net.httpserver.Headers headers, String body) {}

    private record Answer(int status, String type, byte[] body) {}

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final List<CallRecord> records = new CopyOnWriteArrayList<>();
    private final ManualScheduler clock = new ManualScheduler();
    private final ToolCatalog catalog = new ToolCatalog();
    private final SessionManager sessions =
            new SessionManager(
                    new FakeTransports(),
                    new RecordedSessions(),
                    clock,
                    () -> 0L,
                    SessionSettings.withVersion("1.2.3"));
    private final ReadBudget budget = new ReadBudget(64L << 20, 64L << 20);
    private final HttpToolClient client =
            new HttpToolClient(
                    EndpointAddresses.DEFAULT,
                    new MessageLimits(MAX_BYTES, budget),
                    () -> Optional.of("self"));
    private final ToolCaller caller =
            new ToolCaller(
                    catalog,
                    new ServerExchange(catalog, sessions, OtherReplicas.NONE),
                    Optional.of(client),
                    new ResultLimiter(new KeptResults(clock)),
                    records::add,
                    clock,
                    new WithheldTools(catalog, HeldTools.NONE));
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private volatile Answer answer =
            new Answer(200, "application/json", "{\"ok\":1.50}".getBytes(StandardCharsets.UTF_8));
    private HttpServer server;
    private String url;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(executor);
        server.createContext("/", this::handle);
        server.start();
        url = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
        executor.close();
        sessions.close();
        assertThat(budget.read()).isZero();
        assertThat(budget.held()).isZero();
    }

    private void handle(HttpExchange exchange) throws IOException {
        received.add(
                new Received(
                        exchange.getRequestMethod() + " " + exchange.getRequestURI(),
                        exchange.getRequestHeaders(),
                        new String(
                                exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        String path = exchange.getRequestURI().getPath();
        if (path.startsWith("/moved")) {
            exchange.getResponseHeaders().add("Location", path.substring("/moved".length()));
            exchange.sendResponseHeaders(307, -1);
        } else {
            Answer now = answer;
            if (!now.type().isEmpty()) {
                exchange.getResponseHeaders().add("Content-Type", now.type());
            }
            exchange.sendResponseHeaders(
                    now.status(), now.body().length == 0 ? -1 : now.body().length);
            exchange.getResponseBody().write(now.body());
        }
        exchange.close();
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text.replace('\'', '"'));
    }

    private void declare(RequestTemplate request, Duration timeout, OutputLimit output) {
        catalog.httpTools().put(new HttpTool(TOOL, request, timeout, ArgumentMode.COERCE));
        ObjectNode schema = request.schema();
        catalog.putTool(
                new ToolEntry(
                        TOOL,
                        "uid",
                        ToolEntry.noServer("default"),
                        "weather",
                        "weather",
                        schema,
                        Optional.empty(),
                        output,
                        schema.objectNode().put("name", "weather").set("inputSchema", schema),
                        ParameterHeaders.NONE,
                        Instant.EPOCH));
    }

    private void declare(String method, String endpoint, RequestParameter... headers) {
        declare(
                RequestTemplate.of(method, endpoint, List.of(), Arrays.asList(headers), null),
                Duration.ofSeconds(20),
                OutputLimit.NONE);
    }

    private CallOutcome call(String arguments) throws InterruptedException {
        return caller.call(new CallRequest(TOOL, json(arguments), Optional.empty(), "me"));
    }

    private JsonNode result(String arguments) throws InterruptedException {
        CallOutcome outcome = call(arguments);
        assertThat(outcome).isInstanceOf(CallOutcome.Completed.class);
        return ((CallOutcome.Completed) outcome).result();
    }

    private static String text(JsonNode result) {
        return result.at("/content/0/text").asString();
    }

    private String why(CallOutcome outcome) {
        assertThat(outcome).isInstanceOf(CallOutcome.ServerUnavailable.class);
        return ((CallOutcome.ServerUnavailable) outcome).refusal().message();
    }

    @Test
    void callSendsTheArgumentsAndReturnsTheObjectAsTextAndAsStructuredContent() throws Exception {
        declare("POST", url + "/cities/{city}", new RequestParameter("X-Key", "s3cret", true));

        JsonNode result = result("{'city': 'Ústí nad Labem', 'days': 3}");

        assertThat(result)
                .isEqualTo(
                        json(
                                "{'content': [{'type': 'text', 'text': '{\\\"ok\\\":1.50}'}],"
                                        + " 'structuredContent': {'ok': 1.50}}"));
        assertThat(received).hasSize(1);
        assertThat(received.getFirst().line())
                .isEqualTo("POST /cities/%C3%9Ast%C3%AD%20nad%20Labem");
        assertThat(received.getFirst().body()).isEqualTo("{\"days\":3}");
        assertThat(received.getFirst().headers().getFirst("Content-type"))
                .isEqualTo("application/json");
        assertThat(received.getFirst().headers().getFirst("X-key")).isEqualTo("s3cret");
        assertThat(received.getFirst().headers().getFirst(GatewayPath.HEADER)).isEqualTo("self");
    }

    @Test
    void recordReportsThePhasesTheEndpointAndTheSizes() throws Exception {
        declare("POST", url);

        result("{'a': 1}");

        CallRecord call = records.getFirst();
        assertThat(call.outcome()).isEqualTo("Completed");
        assertThat(call.server()).contains(ToolEntry.noServer("default"));
        assertThat(call.trace().steps())
                .extracting(CallTrace.Step::phase)
                .containsExactly(
                        CallTrace.Phase.CHECK,
                        CallTrace.Phase.QUEUE,
                        CallTrace.Phase.UPSTREAM,
                        CallTrace.Phase.RESULT);
        assertThat(call.trace().bytesOut()).isEqualTo(7);
        assertThat(call.trace().bytesIn()).isEqualTo(11);
        assertThat(call.trace().peer().orElseThrow().session()).isEqualTo("POST " + url);
    }

    @Test
    void traceContextOfTheCallGoesAlong() throws Exception {
        declare("GET", url);
        ObjectNode extra =
                (ObjectNode)
                        json(
                                "{'_meta': {'traceparent': '00-1-2-01', 'tracestate': 'a=\\n"
                                        + "', 'x': 1}}");

        caller.call(
                new CallRequest(
                        TOOL,
                        Optional.empty(),
                        MissingNode.getInstance(),
                        Optional.empty(),
                        "me",
                        extra,
                        ProgressListener.NONE,
                        CallId.NONE,
                        RequestingClient.NONE));

        assertThat(received.getFirst().headers().getFirst("Traceparent")).isEqualTo("00-1-2-01");
        assertThat(received.getFirst().headers()).doesNotContainKey("Tracestate");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "application/json; charset=utf-8 | [1] |"
                        + " {'content':[{'type':'text','text':'[1]'}]}",
                "application/problem+json | {'a':1} |"
                    + " {'content':[{'type':'text','text':'{\\\"a\\\":1}'}],'structuredContent':{'a':1}}",
                "text/plain | hello | {'content':[{'type':'text','text':'hello'}]}",
                "application/xml | <a/> | {'content':[{'type':'text','text':'<a/>'}]}",
                "text/html; charset=nonsense | <p> | {'content':[{'type':'text','text':'<p>'}]}",
                "text/html; charset=utf+8! | <p> | {'content':[{'type':'text','text':'<p>'}]}",
            })
    void textsAndJsonAreText(String type, String body, String expected) throws Exception {
        answer = new Answer(200, type, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        declare("GET", url);

        assertThat(result("{}")).isEqualTo(json(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"image/png", "audio/mpeg"})
    void imagesAndAudioAreBase64(String type) throws Exception {
        byte[] bytes = {1, 2, -3};
        answer = new Answer(200, type, bytes);
        declare("GET", url);

        JsonNode block = result("{}").at("/content/0");

        assertThat(block.path("type").asString()).isEqualTo(type.split("/")[0]);
        assertThat(block.path("mimeType").asString()).isEqualTo(type);
        assertThat(block.path("data").asString())
                .isEqualTo(Base64.getEncoder().encodeToString(bytes));
    }

    @Test
    void otherContentIsAnErrorThatNamesIt() throws Exception {
        answer = new Answer(200, "application/pdf", new byte[10]);
        declare("GET", url);

        JsonNode result = result("{}");

        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(text(result)).contains("HTTP 200 with 10 bytes of \"application/pdf\"");
    }

    @Test
    void nothingIsSaidToBeNothing() throws Exception {
        answer = new Answer(204, "", new byte[0]);
        declare("DELETE", url + "/{id}");

        assertThat(text(result("{'id': 1}"))).isEqualTo("HTTP 204, without content");
        assertThat(received.getFirst().line()).isEqualTo("DELETE /1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{oops | unexpected",
                "{'a': | it ends in the middle of a value",
                "{'a': 1e99999999999} | number",
                "DEEP | it nests deeper than 200 levels",
                "LONG | a number has more than 1000 digits",
            })
    void jsonThatIsNoneIsAnErrorThatSaysSo(String body, String why) throws Exception {
        String sent =
                switch (body) {
                    case "DEEP" -> "[".repeat(10_000);
                    case "LONG" -> "1".repeat(100_000);
                    default -> body.replace('\'', '"');
                };
        answer = new Answer(200, "application/json", sent.getBytes(StandardCharsets.UTF_8));
        declare("GET", url);

        JsonNode result = result("{}");

        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(text(result))
                .contains("HTTP 200 with JSON that cannot be read: ", why)
                .doesNotContainIgnoringCase("jackson")
                .doesNotContain("StreamRead");
    }

    @Test
    void statusThatIsNoSuccessIsAnErrorForTheModelWithoutSecrets() throws Exception {
        answer =
                new Answer(
                        403,
                        "text/plain",
                        ("key t0psecret is wrong " + "x".repeat(100_000))
                                .getBytes(StandardCharsets.UTF_8));
        declare("GET", url, new RequestParameter("Authorization", "Bearer t0psecret", true));

        JsonNode result = result("{}");

        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(text(result))
                .startsWith("HTTP 403 Forbidden (the credentials in the Tool's spec.auth")
                .contains("key *** is wrong xxx")
                .doesNotContain("t0psecret")
                .hasSizeLessThan(5_000);
        assertThat(result.has("structuredContent")).isFalse();
    }

    @Test
    void redirectWithinTheOriginIsFollowed() throws Exception {
        declare("POST", url + "/moved/there");

        assertThat(text(result("{'a': 1}"))).isEqualTo("{\"ok\":1.50}");
        assertThat(received)
                .extracting(Received::line)
                .containsExactly("POST /moved/there", "POST /there");
        assertThat(received.getLast().body()).isEqualTo("{\"a\":1}");
    }

    @Test
    void redirectToAMetadataServiceOrAnotherOriginIsNotFollowed() throws Exception {
        try (RawEndpoint raw =
                RawEndpoint.start(
                        connection ->
                                connection.write(
                                        "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: "
                                                + (connection.number() == 0
                                                        ? "http://169.254.169.254/latest"
                                                        : url + "/stolen")
                                                + "\r\n\r\n"))) {
            declare("GET", raw.url(), new RequestParameter("X-Key", "s3cret", true));

            assertThat(text(result("{}")))
                    .contains("HTTP 302", "http://169.254.169.254/latest", "not followed");
            assertThat(text(result("{}"))).contains("/stolen", "not followed");
            assertThat(received).isEmpty();
        }
    }

    @Test
    void metadataServicesAreNotConnectedTo() throws Exception {
        declare("GET", "http://169.254.169.254/{path}");

        CallOutcome outcome = call("{'path': 'latest'}");

        assertThat(why(outcome)).contains("may not be reached", "--endpoint-allow");
        assertThat(outcome.delivered()).isFalse();
    }

    @Test
    void endlessAnswerEndsAtTheLimitAndAHealthyToolIsCalledMeanwhile() throws Exception {
        try (RawEndpoint raw =
                RawEndpoint.start(
                        connection -> {
                            connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
                            byte[] block = new byte[64 * 1024];
                            while (true) {
                                connection.out().write(block);
                            }
                        })) {
            declare("GET", raw.url());

            CallOutcome outcome = call("{}");

            assertThat(why(outcome))
                    .contains("longer than 1048576 bytes", "orloj.messages.max-size");
            assertThat(outcome.delivered()).isTrue();
            assertThat(raw.abandoned().await(30, TimeUnit.SECONDS)).isTrue();
            declare("GET", url);
            assertThat(text(result("{}"))).isEqualTo("{\"ok\":1.50}");
        }
    }

    @Test
    void slowAnswerEndsWithTheTimeAndTheConnection() throws Exception {
        try (RawEndpoint raw =
                RawEndpoint.start(
                        connection -> {
                            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx");
                            connection.awaitEnd();
                        })) {
            declare(
                    RequestTemplate.of("GET", raw.url(), List.of(), List.of(), null),
                    Duration.ofMillis(500),
                    OutputLimit.NONE);

            assertThat(call("{}"))
                    .isEqualTo(new CallOutcome.TimedOut(TOOL, Duration.ofMillis(500), false));
            assertThat(raw.abandoned().await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(raw.heads()).as("not tried again").hasSize(1);
        }
    }

    @Test
    void headerOfTenMegabytesIsRefused() throws Exception {
        try (RawEndpoint raw =
                RawEndpoint.start(
                        connection -> {
                            connection.write("HTTP/1.1 200 OK\r\nX-A: ");
                            for (int i = 0; i < 10; i++) {
                                connection.write("a".repeat(1024 * 1024));
                            }
                            connection.write("\r\n\r\n");
                        })) {
            declare("POST", raw.url());

            assertThat(why(call("{}"))).contains("line length limit");
        }
    }

    @ParameterizedTest
    @CsvSource({"GET,2", "PUT,2", "DELETE,2", "POST,1", "PATCH,1"})
    void requestWhoseConnectionEndsIsMadeOnceMoreOnlyWhenThatDoesNoHarm(String method, int times)
            throws Exception {
        try (RawEndpoint raw = RawEndpoint.start(_ -> {})) {
            declare(method, raw.url());

            CallOutcome outcome = call("{}");

            assertThat(why(outcome)).contains("failed");
            assertThat(outcome.delivered()).isTrue();
            assertThat(raw.heads()).hasSize(times);
        }
    }

    @Test
    void callerThatIsInterruptedLeavesNoConnection() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (RawEndpoint raw =
                RawEndpoint.start(
                        connection -> {
                            asked.countDown();
                            connection.awaitEnd();
                        })) {
            declare("POST", raw.url());
            Thread thread =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            call("{}");
                                        } catch (InterruptedException e) {
                                            interrupted.countDown();
                                        }
                                    });
            asked.await();

            thread.interrupt();

            assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(raw.abandoned().await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(records).extracting(CallRecord::outcome).containsExactly("Cancelled");
        }
    }

    @Test
    void endpointThatIsNotThereIsSaidToBeAndNothingWasDelivered() throws Exception {
        declare("POST", "http://127.0.0.1:1/");

        CallOutcome outcome = call("{}");

        assertThat(why(outcome)).startsWith("Connecting to http://127.0.0.1:1 failed");
        assertThat(outcome.delivered()).isFalse();
    }

    @Test
    void argumentsAreCheckedAndConvertedAsThoseOfServers() throws Exception {
        declare("GET", url + "/{id}");

        assertThat(call("{}")).isInstanceOf(CallOutcome.InvalidArguments.class);
        assertThat(call("{'id': '..'}")).isInstanceOf(CallOutcome.InvalidArguments.class);
        assertThat(call("[]")).isInstanceOf(CallOutcome.InvalidArguments.class);
        assertThat(received).isEmpty();
    }

    @Test
    void longTextIsCutAndKept() throws Exception {
        answer = new Answer(200, "text/plain", "x".repeat(50_000).getBytes(StandardCharsets.UTF_8));
        declare(
                RequestTemplate.of("GET", url, List.of(), List.of(), null),
                Duration.ofSeconds(20),
                new OutputLimit(1_000L, null));

        JsonNode result = result("{}");

        assertThat(text(result)).hasSizeLessThan(2_000);
        assertThat(result.at("/_meta/orloj.dev~1truncated").isObject()).isTrue();
    }

    @Test
    void declaredToolsThatCannotBeCalledSayWhy() throws Exception {
        catalog.httpTools().refuse(TOOL, "spec.endpoint is empty");

        assertThat(call("{}"))
                .isEqualTo(new CallOutcome.ToolNotCallable(TOOL, "spec.endpoint is empty"));
        catalog.httpTools().remove(TOOL);
        assertThat(call("{}")).isEqualTo(new CallOutcome.ToolNotFound(TOOL));
    }

    /** A slow endpoint costs the calls of another tool nothing. */
    @Test
    void callsOfDifferentToolsShareNoLimit() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        try (RawEndpoint raw =
                RawEndpoint.start(
                        connection -> {
                            asked.countDown();
                            release.await();
                            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                        })) {
            declare("GET", raw.url());
            FutureTask<JsonNode> slow = new FutureTask<>(() -> result("{}"));
            Thread.ofVirtual().start(slow);
            asked.await();
            declare("GET", url);

            assertThat(text(result("{}"))).isEqualTo("{\"ok\":1.50}");
            release.countDown();
            assertThat(text(slow.get())).isEqualTo("ok");
        }
    }
}
