package dev.orloj.runtime.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.observation.CallId;
import dev.orloj.runtime.observation.CallIds;
import dev.orloj.runtime.observation.CallRecord;
import dev.orloj.runtime.observation.CallTrace.Peer;
import dev.orloj.runtime.observation.CallTrace.Phase;
import dev.orloj.runtime.observation.CallTrace.Step;
import dev.orloj.runtime.result.KeptResults;
import dev.orloj.runtime.result.ResultLimiter;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.testkit.ManualScheduler;
import dev.orloj.runtime.testkit.RecordedSessions;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.TransportException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

@Timeout(30)
class ToolCallerTest {

    private static final ServerDefinition SERVER = Definitions.server("github");
    private static final ResourceKey TOOL = new ResourceKey("default", "github--echo");

    private final FakeTransports transports = new FakeTransports();
    private final ManualScheduler clock = new ManualScheduler();
    private final ToolCatalog catalog = new ToolCatalog();
    private final SessionManager sessions =
            new SessionManager(
                    transports,
                    new RecordedSessions(),
                    clock,
                    () -> 0L,
                    SessionSettings.withVersion("1.2.3"));
    private final List<CallRecord> records = new CopyOnWriteArrayList<>();
    private final ToolCaller caller =
            new ToolCaller(
                    catalog,
                    new ServerExchange(catalog, sessions, OtherReplicas.NONE),
                    new ResultLimiter(new KeptResults(clock)),
                    records::add,
                    clock);

    @BeforeEach
    void knowOneTool() {
        catalog.putServer(SERVER);
        catalog.putTool(entry("{'type':'object'}", Optional.empty()));
    }

    @AfterEach
    void leaveNothing() {
        sessions.close();
        assertThat(transports.open()).isEmpty();
    }

    @Test
    void callOpensASessionAndReturnsTheResult() throws Exception {
        CallOutcome outcome = caller.call(request("{'a':1}"));

        assertThat(result(outcome).path("content").get(0).path("text").asString())
                .isEqualTo("{\"a\":1}");
        assertThat(transports.latest().received())
                .containsExactly(
                        "server/discover", "initialize", "notifications/initialized", "tools/call");
    }

    @Test
    void originalNameIsSent() throws Exception {
        transports.on(
                "tools/call",
                (connection, params) ->
                        Json.MAPPER.createObjectNode().set("seen", params.path("name")));

        CallOutcome outcome = caller.call(request("{}"));

        assertThat(result(outcome)).isEqualTo(json("{'seen':'Echo.it'}"));
    }

    @Test
    void whatElseTheRequestHasIsSentAlong() throws Exception {
        transports.on("tools/call", (connection, params) -> params);
        ObjectNode extra = (ObjectNode) json("{'_meta':{'traceparent':'00-1'},'unheard':[1.50]}");

        CallOutcome outcome = caller.call(request(extra, ProgressListener.NONE));

        assertThat(result(outcome))
                .isEqualTo(
                        json(
                                "{'name':'Echo.it','arguments':{},'_meta':{'traceparent':'00-1'},'unheard':[1.50]}"));
    }

    @Test
    void everyListenerReceivesProgress() throws Exception {
        List<JsonNode> received = new CopyOnWriteArrayList<>();
        ObjectNode extra = (ObjectNode) json("{'_meta':{'a/b':1}}");
        transports.on(
                "tools/call",
                (connection, params) -> {
                    ObjectNode notification = (ObjectNode) json("{'progress':0.5,'unheard':null}");
                    notification.set("progressToken", params.at("/_meta/progressToken"));
                    connection.send("notifications/progress", notification);
                    return json("{}");
                });

        caller.call(request(extra, received::add));

        assertThat(received)
                .extracting(JsonNode::toString)
                .containsExactly("{\"progress\":0.5,\"unheard\":null,\"progressToken\":1}");
        assertThat(extra).isEqualTo(json("{'_meta':{'a/b':1}}"));
    }

    @Test
    void progressIsReceivedWhoseTokenTheServerSendsBackAsAString() throws Exception {
        List<JsonNode> received = new CopyOnWriteArrayList<>();
        transports.on(
                "tools/call",
                (connection, params) -> {
                    connection.send(
                            "notifications/progress", json("{'progress':0.5,'progressToken':'1'}"));
                    return json("{}");
                });

        caller.call(request((ObjectNode) json("{}"), received::add));

        assertThat(received).hasSize(1);
    }

    @Test
    void absentArgumentsAreAnEmptyObject() throws Exception {
        CallOutcome outcome = caller.call(request(MissingNode.getInstance(), Optional.empty()));

        assertThat(result(outcome).path("content").get(0).path("text").asString()).isEqualTo("{}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "[1]", "'text'", "7", "true"})
    void argumentsThatAreNoObjectAreInvalidAndNotSent(String arguments) throws Exception {
        CallOutcome outcome = caller.call(request(arguments));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        CallOutcome.InvalidArguments.class,
                        invalid ->
                                assertThat(invalid.errors())
                                        .singleElement()
                                        .hasToString(
                                                "arguments: Invalid value: "
                                                        + arguments.replace('\'', '"')
                                                        + ": must be an object, such as {\"name\":"
                                                        + " \"value\"}"));
        assertThat(transports.made()).isEmpty();
    }

    @Test
    void argumentsAgainstTheSchemaAreInvalidAndNotSent() throws Exception {
        catalog.putTool(entry("{'required':['q']}", Optional.empty()));

        CallOutcome outcome = caller.call(request("{}"));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        CallOutcome.InvalidArguments.class,
                        invalid ->
                                assertThat(invalid.errors())
                                        .extracting(Object::toString)
                                        .containsExactly("arguments.q: Required value"));
        assertThat(transports.made()).isEmpty();
    }

    @Test
    void unknownToolIsNotFound() throws Exception {
        ResourceKey unknown = new ResourceKey("default", "absent");

        assertThat(caller.call(new CallRequest(unknown, json("{}"), Optional.empty(), "test")))
                .isEqualTo(new CallOutcome.ToolNotFound(unknown));
    }

    @Test
    void toolWithoutItsServerIsNotCallable() throws Exception {
        catalog.removeServer(SERVER.server());

        assertThat(caller.call(request("{}")))
                .isEqualTo(
                        new CallOutcome.ServerRefused(
                                Optional.of(TOOL), Refusal.absent(SERVER.server())));
    }

    @Test
    void serverDeletedDuringTheOpeningLeavesNoSession() throws Exception {
        transports.on(
                "initialize",
                (connection, params) -> {
                    catalog.removeServer(SERVER.server());
                    return FakeTransports.initializeResult(params);
                });

        assertThat(caller.call(request("{}"))).isEqualTo(new CallOutcome.ToolNotFound(TOOL));

        await().untilAsserted(() -> assertThat(transports.open()).isEmpty());
        await().untilAsserted(() -> assertThat(sessions.sessions()).isEmpty());
        assertThat(transports.count("tools/call")).isZero();
    }

    @Test
    void resultWithIsErrorIsAResult() throws Exception {
        String result = "{'isError':true,'content':[{'type':'text','text':'no such file'}]}";
        transports.on("tools/call", (connection, params) -> json(result));

        assertThat(result(caller.call(request("{}")))).isEqualTo(json(result));
    }

    @Test
    void resultComesAsItWasReceived() throws Exception {
        String result =
                """
                {"content": [{"type": "hologram", "depth": 3.10, "_meta": {"a/b": null}},
                             {"type": "image", "data": "AAAA", "mimeType": "image/png"}],
                 "structuredContent": {"big": 123456789012345678901234567890123456789,
                                       "fraction": 0.1000000000000000000000000000000000001,
                                       "exponent": 1.50e400, "nothing": null, "": [[], {}]},
                 "isError": false, "futureField": {"x": [1.0, 1.00]}, "_meta": null}
                """;
        transports.on("tools/call", (connection, params) -> FakeTransports.json(result));

        CallOutcome outcome = caller.call(request("{}"));

        assertThat(result(outcome)).isEqualTo(FakeTransports.json(result));
        assertThat(Json.MAPPER.writeValueAsString(result(outcome)))
                .isEqualTo(Json.MAPPER.writeValueAsString(FakeTransports.json(result)))
                .contains("0.1000000000000000000000000000000000001", "[1.0,1.00]");
    }

    @Test
    void argumentsArriveAsTheyWereGiven() throws Exception {
        String arguments =
                "{\"n\":1.10,\"big\":123456789012345678901234567890,\"null\":null,\"\":[{}]}";

        CallOutcome outcome =
                caller.call(request(FakeTransports.json(arguments), Optional.empty()));

        assertThat(result(outcome).path("content").get(0).path("text").asString())
                .isEqualTo(arguments);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "null", "[]", "'text'"})
    void answerThatIsNoObjectIsAnUnusableAnswer(String answer) throws Exception {
        transports.on("tools/call", (connection, params) -> json(answer));

        assertThat(caller.call(request("{}")))
                .isEqualTo(
                        new CallOutcome.ServerUnavailable(
                                SERVER.server(), "the answer to the call is no object", true));
    }

    @Test
    void errorOfTheServerIsPassedOn() throws Exception {
        JsonRpcError error = new JsonRpcError(-32602, "Unknown tool", json("{'x':1}"));
        transports.on(
                "tools/call",
                (connection, params) -> {
                    throw new JsonRpcException(error);
                });

        assertThat(caller.call(request("{}")))
                .isEqualTo(new CallOutcome.ServerError(SERVER.server(), error));
    }

    @Test
    void serverThatDoesNotOpenIsUnavailable() throws Exception {
        transports.on(
                "initialize",
                (connection, params) -> {
                    throw new TransportException("exited with code 1", true);
                });

        assertThat(caller.call(request("{}")))
                .isEqualTo(
                        new CallOutcome.ServerUnavailable(
                                SERVER.server(),
                                "Cannot open a session with server \"default/github\": exited with"
                                        + " code 1",
                                false));
    }

    @Test
    void deathDuringTheCallSaysThatItMayHaveBeenDelivered() throws Exception {
        transports.on(
                "tools/call",
                (connection, params) -> {
                    connection.die("exited with code 137");
                    throw new TransportException("exited with code 137", true);
                });

        assertThat(caller.call(request("{}")))
                .isEqualTo(
                        new CallOutcome.ServerUnavailable(
                                SERVER.server(), "exited with code 137", true));
    }

    @Test
    void timeoutIsTheRequestsElseTheToolsElseTheServers() throws Exception {
        Duration three = Duration.ofSeconds(3);
        Duration two = Duration.ofSeconds(2);

        caller.call(request("{}"));
        catalog.putTool(entry("{}", Optional.of(three)));
        caller.call(request("{}"));
        caller.call(request(json("{}"), Optional.of(two)));

        assertThat(transports.latest().timeouts())
                .endsWith(SERVER.timeouts().startup(), SERVER.timeouts().call(), three, two);
    }

    @Test
    void timedOutCallSaysAfterWhatTime() throws Exception {
        Duration limit = Duration.ofSeconds(3);
        transports.on(
                "tools/call",
                (connection, params) -> {
                    throw new RequestTimeoutException("tools/call", limit);
                });

        assertThat(caller.call(request("{}")))
                .isEqualTo(new CallOutcome.TimedOut(SERVER.server(), limit, false));
        assertThat(sessions.liveSession(SERVER.server())).isPresent();
    }

    @Test
    void traceReportsWhereTheTimeOfACallWent() throws Exception {
        transports.on(
                "tools/call",
                (connection, params) -> {
                    new CountDownLatch(1).await(30, TimeUnit.MILLISECONDS);
                    return json("{}");
                });
        CallId id = new CallIds("box", Instant.EPOCH).next();
        caller.call(request(id));
        caller.call(request("7"));

        CallRecord call = records.getFirst();
        assertThat(call.id()).hasToString("box.1");
        assertThat(call.trace().steps())
                .extracting(Step::phase)
                .containsExactly(
                        Phase.CHECK, Phase.QUEUE, Phase.OPENING, Phase.UPSTREAM, Phase.RESULT);
        assertThat(call.trace().steps())
                .filteredOn(step -> step.phase() == Phase.UPSTREAM)
                .allMatch(step -> step.took().toMillis() >= 30 && step.took().toMillis() < 10_000);
        assertThat(call.trace().duration()).isEqualTo(call.duration());
        assertThat(call.trace().peer())
                .contains(new Peer("default/github#1", Optional.of(4711L), "2025-11-25"));
        CallRecord refused = records.getLast();
        assertThat(refused.trace().steps()).extracting(Step::phase).containsExactly(Phase.CHECK);
        assertThat(refused.trace().peer()).isEmpty();
    }

    @Test
    void everyCallIsRecorded() throws Exception {
        caller.call(request("{}"));
        caller.call(request("7"));

        assertThat(records)
                .extracting(CallRecord::outcome)
                .containsExactly("Completed", "InvalidArguments");
        assertThat(records)
                .allSatisfy(
                        call -> {
                            assertThat(call.caller()).isEqualTo("test");
                            assertThat(call.tool()).isEqualTo(TOOL);
                            assertThat(call.server()).contains(SERVER.server());
                            assertThat(call.startedAt()).isEqualTo(clock.instant());
                            assertThat(call.duration()).isPositive();
                        });
    }

    @Test
    void interruptedCallIsRecordedAsCancelled() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        transports.on(
                "tools/call",
                (connection, params) -> {
                    arrived.countDown();
                    new CountDownLatch(1).await();
                    return params;
                });
        FutureTask<CallOutcome> task = new FutureTask<>(() -> caller.call(request("{}")));
        Thread thread = Thread.startVirtualThread(task);
        arrived.await();

        thread.interrupt();

        assertThatThrownBy(task::get).hasCauseInstanceOf(InterruptedException.class);
        assertThat(records).extracting(CallRecord::outcome).containsExactly("Cancelled");
    }

    @Test
    void nothingSecretIsShownByRequestsAndOutcomes() throws Exception {
        CallRequest request = request("{'password':'hunter2'}");

        assertThat(request.toString()).doesNotContain("hunter2");
        assertThat(caller.call(request).toString()).doesNotContain("hunter2");
    }

    private static JsonNode result(CallOutcome outcome) {
        assertThat(outcome).isInstanceOf(CallOutcome.Completed.class);
        return ((CallOutcome.Completed) outcome).result();
    }

    private static CallRequest request(String arguments) {
        return request(json(arguments), Optional.empty());
    }

    private static CallRequest request(JsonNode arguments, Optional<Duration> timeout) {
        return new CallRequest(TOOL, arguments, timeout, "test");
    }

    private static CallRequest request(CallId id) {
        return request((ObjectNode) json("{}"), ProgressListener.NONE, id);
    }

    private static CallRequest request(ObjectNode extra, ProgressListener progress) {
        return request(extra, progress, CallId.NONE);
    }

    private static CallRequest request(ObjectNode extra, ProgressListener progress, CallId id) {
        return new CallRequest(
                TOOL,
                Optional.empty(),
                json("{}"),
                Optional.empty(),
                "test",
                extra,
                progress,
                id,
                RequestingClient.NONE);
    }

    private static ToolEntry entry(String schema, Optional<Duration> timeout) {
        return new ToolEntry(
                TOOL, "uid", SERVER.server(), "Echo.it", "github__echo", json(schema), timeout);
    }

    private static JsonNode json(String text) {
        return FakeTransports.json(text.replace('\'', '"'));
    }
}
