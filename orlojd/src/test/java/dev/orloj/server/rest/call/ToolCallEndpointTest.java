package dev.orloj.server.rest.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.argument.ArgumentMode;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.limit.CallLimits;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.server.rest.HttpProbe;
import dev.orloj.server.rest.HttpProbe.Answer;
import dev.orloj.server.rest.RestServer;
import dev.orloj.server.rest.ScriptedTransports;
import dev.orloj.server.testing.SlowClient;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

class ToolCallEndpointTest {

    private static final String SCHEMA =
            """
            {"type": "object", "properties": {"n": {"type": "integer"}}}\
            """;

    private final RestServer server = RestServer.shared();
    private final HttpProbe http = server.probe();
    private String namespace = "";
    private String call = "";

    @BeforeEach
    void oneServerWithOneTool() {
        namespace = server.freshNamespace();
        call = "/apis/orloj.dev/v1/namespaces/%s/tools/srv--echo/call".formatted(namespace);
        ResourceKey srv = new ResourceKey(namespace, "srv");
        server.catalog().putServer(RestServer.scripted(srv));
        server.offer(srv, "echo", Json.MAPPER.readTree(SCHEMA));
        server.offer(new ResourceKey(namespace, "lost"), "echo", Json.MAPPER.readTree(SCHEMA));
    }

    @Test
    void resultComesAsTheServerSentIt() {
        String result =
                """
                {"content":[{"type":"hologram","x":1.50,"big":123456789012345678901234567890}],\
                "isError":true,"_meta":{"a/b":null},"unheard":[{}]}\
                """;
        server.mcp().answerWith(params -> Json.MAPPER.readTree(result));

        Answer answer = http.post(call, "{\"arguments\": {\"n\": 1}}");

        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo(result);
    }

    @Test
    void toolThatReachesTheCatalogWhileItsCallWaitsIsCalled() {
        server.mcp().answerWith(params -> params);
        server.onUnknownTool(
                () ->
                        server.offer(
                                new ResourceKey(namespace, "srv"),
                                "late",
                                Json.MAPPER.readTree(SCHEMA)));

        Answer answer = http.post(call.replace("srv--echo", "srv--late"), "{}");

        assertThat(answer.at("/name")).isEqualTo("late");
    }

    @Test
    void toolWhoseServerReachesTheCatalogWhileItsCallWaitsIsCalled() {
        server.mcp().answerWith(params -> params);
        ResourceKey lost = new ResourceKey(namespace, "lost");
        server.onUnknownTool(() -> server.catalog().putServer(RestServer.scripted(lost)));

        Answer answer = http.post(call.replace("srv--echo", "lost--echo"), "{}");

        assertThat(answer.at("/name")).isEqualTo("echo");
    }

    @Test
    void callThatNeedsMoreInputReportsWhatIsAsked() {
        put(Definitions.withAddress(definition(), ScriptedTransports.NEWEST));
        server.mcp()
                .answerWith(
                        params ->
                                Json.MAPPER.readTree(
                                        """
                                        {"resultType": "input_required", "inputRequests": {"who":
                                          {"method": "elicitation/create", "params": {"message": "Who?"}}}}
                                        """));

        Answer answer = http.post(call, "{\"arguments\": {\"n\": 1}}");

        assertThat(answer.code()).isEqualTo(409);
        assertThat(answer.at("/reason")).isEqualTo("InputRequired");
        assertThat(answer.at("/details/causes/0/reason")).isEqualTo("elicitation/create");
        assertThat(answer.at("/details/causes/0/message")).isEqualTo("Who?");
        assertThat(answer.at("/details/causes/0/field")).isEqualTo("inputRequests.who");
    }

    @Test
    void argumentsReachTheServerUntouched() {
        server.mcp().answerWith(params -> params);

        Answer answer = http.post(call, "{\"arguments\": {\"n\": 1, \"x\": [1.0, null, {}]}}");

        assertThat(answer.at("/name")).isEqualTo("echo");
        assertThat(answer.at("/arguments")).isEqualTo("{\"n\":1,\"x\":[1.0,null,{}]}");
    }

    /** H-22 */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    STRICT | {"n":"5"}   | 422 | arguments.n
                    COERCE | {"n":"5"}   | 200 | "arguments":{"n":5}
                    COERCE | {"n":null}  | 200 | "arguments":{}
                    COERCE | {"n":"one"} | 422 | arguments.n
                    OFF    | {"n":"one"} | 200 | "arguments":{"n":"one"}
                    """)
    void argumentsThatDoNotFitAreTakenAsTheServerHasIt(
            ArgumentMode mode, String arguments, int code, String text) {
        put(Definitions.withArguments(definition(), mode));
        server.mcp().answerWith(params -> params);

        Answer answer = http.post(call, "{\"arguments\": %s}".formatted(arguments));

        assertThat(answer.code()).as(answer.text()).isEqualTo(code);
        assertThat(answer.text()).contains(text);
    }

    @Test
    void callWithoutABodyHasNoArguments() {
        server.mcp().answerWith(params -> params);

        assertThat(http.post(call, "").code()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    []                                   | 400 | BadRequest | expected an object
                    {"arguments": [1]}                   | 400 | BadRequest | "arguments" must be an object
                    {"arguments": "text"}                | 400 | BadRequest | "arguments" must be an object
                    {"args": {}}                         | 400 | BadRequest | unknown field "args"
                    {"timeout": 10}                      | 400 | BadRequest | "timeout"
                    {"timeout": "soon"}                  | 400 | BadRequest | "soon"
                    {"timeout": "0s"}                    | 400 | BadRequest | "timeout"
                    {"arguments":                        | 400 | BadRequest | cannot be used
                    {"arguments": {}} {}                 | 400 | BadRequest | cannot be used
                    {"arguments": {"n": "one"}}          | 422 | Invalid    | arguments.n
                    """)
    void callsThatMakeNoSenseAreRefused(String body, int code, String reason, String message) {
        Answer answer = http.post(call, body);

        assertThat(answer.code()).as(answer.text()).isEqualTo(code);
        assertThat(answer.at("/reason")).isEqualTo(reason);
        assertThat(answer.at("/message")).contains(message);
    }

    @Test
    void otherMediaTypesAreRefused() {
        assertThat(http.post(call, "{}", "Content-Type", "text/plain").code()).isEqualTo(415);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json, text/event-stream | application/json",
                "*/* | application/json",
                "text/event-stream | text/event-stream",
                "text/event-stream, application/json | text/event-stream",
                "application/json;q=0, text/event-stream | text/event-stream",
            })
    void answerIsOfTheKindThatIsNamedFirst(String accept, String type) {
        assertThat(http.post(call, "{}", "Accept", accept).header("content-type")).startsWith(type);
    }

    @Test
    void unknownToolIsNotFound() {
        Answer answer = http.post(call.replace("srv--echo", "none"), "{}");

        assertThat(answer.code()).isEqualTo(404);
        assertThat(answer.at("/message")).isEqualTo("tools.orloj.dev \"none\" not found");
    }

    @Test
    void toolWithoutItsServerIsNotCallable() {
        assertThat(http.post(call.replace("srv--echo", "lost--echo"), "{}").code()).isEqualTo(422);
    }

    @Test
    void errorOfTheServerIsPassedOn() {
        server.mcp()
                .answerWith(
                        params -> {
                            throw new JsonRpcException(
                                    new JsonRpcError(
                                            -32603, "kaboom", Json.MAPPER.readTree("{\"a\": 1}")));
                        });

        Answer answer = http.post(call, "{}");

        assertThat(answer.code()).isEqualTo(502);
        assertThat(answer.at("/details/causes/0/message")).isEqualTo("-32603");
        assertThat(answer.at("/details/causes/1/message")).isEqualTo("kaboom");
        assertThat(answer.at("/details/causes/2/message")).isEqualTo("{\"a\":1}");
    }

    @Test
    void silenceOfTheServerIsATimeout() {
        server.mcp()
                .answerWith(
                        params -> {
                            throw new RequestTimeoutException("tools/call", Duration.ofSeconds(1));
                        });

        assertThat(http.post(call, "{\"timeout\": \"1s\"}").code()).isEqualTo(504);
    }

    @Test
    void limitOfTheServerIsReportedWithTheTimeToComeAgain() {
        limit(
                new CallLimits(
                        1,
                        0,
                        Duration.ZERO,
                        Optional.of(new CallLimits.Rate(1, Duration.ofHours(1))),
                        Optional.empty()));
        server.mcp().answerWith(params -> params);
        assertThat(http.post(call, "{}").code()).isEqualTo(200);

        Answer answer = http.post(call, "{}");

        assertThat(answer.code()).isEqualTo(429);
        assertThat(answer.at("/reason")).isEqualTo("TooManyRequests");
        assertThat(answer.at("/message")).contains("rate_limit is 1 calls in 3600000 ms");
        assertThat(answer.at("/details/causes/0/field")).isEqualTo("spec.rate_limit");
        assertThat(Integer.parseInt(answer.at("/details/retryAfterSeconds"))).isBetween(1, 3600);
        assertThat(answer.header("Retry-After")).isEqualTo(answer.at("/details/retryAfterSeconds"));
    }

    @Test
    void openCircuitBreakerIsAnUnavailableServer() {
        limit(
                new CallLimits(
                        1,
                        0,
                        Duration.ZERO,
                        Optional.empty(),
                        Optional.of(
                                new CallLimits.Breaker(
                                        1, Duration.ofMinutes(1), Duration.ofMinutes(1)))));
        server.mcp()
                .answerWith(
                        params -> {
                            throw new TransportException("connection refused", false);
                        });
        http.post(call, "{}");

        Answer answer = http.post(call, "{}");

        assertThat(answer.code()).isEqualTo(503);
        assertThat(answer.at("/message")).contains("circuit_breaker is open", "connection refused");
        assertThat(Integer.parseInt(answer.header("Retry-After"))).isBetween(1, 60);
    }

    private ServerDefinition definition() {
        return server.catalog()
                .findServer(new ResourceKey(namespace, "srv"))
                .orElseThrow()
                .definition();
    }

    private void put(ServerDefinition definition) {
        server.catalog().putServer(definition);
    }

    private void limit(CallLimits limits) {
        put(Definitions.withLimits(definition(), limits));
    }

    @Test
    void longTextIsCutAndTheWholeCanBeReadInPages() {
        put(Definitions.withOutput(definition(), new OutputLimit(null, 1L)));
        String whole =
                """
                {"content":[{"type":"text","text":"0123456789"}],"unheard":1.50}\
                """;
        server.mcp().answerWith(params -> Json.MAPPER.readTree(whole));

        Answer answer = http.post(call, "{}");

        assertThat(answer.at("/content/0/text")).startsWith("0123\n[cut by orloj after 4 of 10");
        String results =
                call.replace("/call", "/results/")
                        + answer.at("/_meta/orloj.dev~1truncated/result");
        assertThat(http.get(results).text()).isEqualTo(whole);
        Answer page = http.get(results + "?offset=4&limit=5");
        assertThat(page.at("/text")).isEqualTo("45678");
        assertThat(page.at("/bytes")).isEqualTo("10");
        assertThat(page.at("/next")).isEqualTo("9");
        assertThat(http.get(results + "?offset=9").text()).doesNotContain("next");
        assertThat(http.get(results + "x").code()).isEqualTo(404);
        assertThat(http.get(results + "?limit=many").code()).isEqualTo(400);
    }

    @Test
    void brokenConnectionSaysWhetherTheCallMayHaveHappened() {
        server.mcp()
                .answerWith(
                        params -> {
                            throw new TransportException("process exited with 1", true);
                        });

        Answer answer = http.post(call, "{}");

        assertThat(answer.code()).isEqualTo(503);
        assertThat(answer.at("/message"))
                .contains("process exited with 1")
                .contains("may have been carried out");
    }

    @Test
    void slowCallerMissesTheOldestProgressAndGetsTheResult() throws Exception {
        int many = 5_000;
        CountDownLatch reported = new CountDownLatch(1);
        server.mcp()
                .answerWith(
                        params -> {
                            ObjectNode events = Json.MAPPER.createObjectNode();
                            events.set("progressToken", params.at("/_meta/progressToken"));
                            events.put("message", SlowClient.LONG_TEXT);
                            for (int i = 1; i <= many; i++) {
                                server.mcp()
                                        .say(
                                                "notifications/progress",
                                                events.deepCopy().put("progress", i));
                            }
                            reported.countDown();
                            return Json.MAPPER.createObjectNode().put("done", true);
                        });
        URI target = URI.create("http://127.0.0.1:" + server.port() + call);
        try (SlowClient caller =
                new SlowClient(target, "{\"arguments\": {}}", "Accept", "text/event-stream")) {
            reported.await();

            List<JsonNode> received =
                    caller.lines("data: ").stream().map(Json.MAPPER::readTree).toList();

            assertThat(received.getLast()).hasToString("{\"done\":true}");
            List<Integer> progress =
                    received.stream()
                            .limit(received.size() - 1L)
                            .map(each -> each.path("progress").asInt())
                            .toList();
            assertThat(progress).isSorted().doesNotHaveDuplicates();
            assertThat(progress.size()).isLessThan(many);
            assertThat(progress.getLast()).isEqualTo(many);
        }
    }
}
