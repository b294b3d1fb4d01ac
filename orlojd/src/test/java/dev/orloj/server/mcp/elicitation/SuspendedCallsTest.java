package dev.orloj.server.mcp.elicitation;

import static dev.orloj.server.mcp.McpRig.INPUT_TIMEOUT;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.gateway.GatewayPath;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransport;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.testkit.ManualScheduler;
import dev.orloj.server.mcp.McpProbe;
import dev.orloj.server.mcp.McpProbe.Answer;
import dev.orloj.server.mcp.McpRig;
import dev.orloj.server.mcp.StatelessAgent;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Agents of 2026-07-28 at a server of an older revision that asks back. */
@Timeout(60)
class SuspendedCallsTest {

    private static final String ELICIT = "elicitation/create";
    private static final String ASKABLE = "{\"elicitation\": {}}";

    private McpRig rig = new McpRig();
    private StatelessAgent agent = new StatelessAgent(rig.probe("/mcp"), ASKABLE);
    private final AtomicInteger ids = new AtomicInteger();
    private final ManualScheduler clock = new ManualScheduler();

    /** What the server got for answers. */
    private final List<JsonNode> progress = new CopyOnWriteArrayList<>();

    @BeforeEach
    void serverAsksOnce() {
        serverAsks(List.of("{\"message\": \"Who?\", \"x\": 1.50}"));
    }

    @AfterEach
    void stop() {
        assertThat(rig.suspended().size()).isZero();
        rig.close();
    }

    /** One question after the other; the result is what became of them. */
    private void serverAsks(List<String> questions) {
        rig.catalog()
                .putServer(
                        Definitions.withBridge(
                                McpRig.SERVER,
                                new ServerRequestPolicy(Set.of("elicitation"), Set.of())));
        rig.servers()
                .on(
                        "tools/call",
                        (connection, _) -> {
                            ObjectNode result =
                                    (ObjectNode) FakeTransports.json("{\"content\": []}");
                            ArrayNode answers = result.putArray("structuredContent");
                            for (String question : questions) {
                                answers.add(ask(connection, question));
                            }
                            return result;
                        });
    }

    private JsonNode ask(FakeTransport connection, String params) throws InterruptedException {
        try {
            JsonNode answer =
                    JsonRpcCodec.toTree(
                            connection
                                    .ask(ids.incrementAndGet(), ELICIT, FakeTransports.json(params))
                                    .get());
            progress.add(answer);
            return answer;
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private Answer call() {
        return call("{\"a\": 1, \"b\": 2}", "");
    }

    private Answer call(String arguments, String round) {
        return call(agent, arguments, round);
    }

    private static Answer call(StatelessAgent agent, String arguments, String round) {
        return agent.ask(
                "tools/call",
                "\"name\": \"github__echo\", \"arguments\": %s%s".formatted(arguments, round),
                "Mcp-Name",
                "github__echo");
    }

    private static String round(Answer before, String responses) {
        return round(before.at("/result/requestState"), responses);
    }

    private static String round(String state, String responses) {
        return ", \"requestState\": \"%s\", \"inputResponses\": %s".formatted(state, responses);
    }

    /** Comes back, so that nothing is left. */
    private Answer answer(Answer asked) {
        return call(
                "{\"a\": 1, \"b\": 2}", round(asked, "{\"input-1\": {\"action\": \"decline\"}}"));
    }

    @Test
    @DisplayName("A call that may be suspended carries the gateways that it has passed through")
    void gatewaysGoOnToTheServer() {
        AtomicReference<List<String>> passed = new AtomicReference<>(List.of());
        rig.servers().on("tools/call", (_, _) -> FakeTransports.json("{\"content\": []}"));
        rig.servers()
                .observeRequests(
                        request -> {
                            if (request.method().equals("tools/call")) {
                                passed.set(GatewayPath.passed());
                            }
                        });

        Answer answer = agent.call("github__echo", "{}", GatewayPath.HEADER, "first, second");

        assertThat(answer.code()).isEqualTo(200);
        assertThat(passed.get()).containsExactly("first", "second");
    }

    @Test
    void whatAnOlderServerAsksIsAnInputRequest() {
        Answer asked = call();

        assertThat(asked.code()).isEqualTo(200);
        assertThat(asked.at("/result/resultType")).isEqualTo("input_required");
        assertThat(asked.at("/result/inputRequests"))
                .isEqualTo(
                        "{\"input-1\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"Who?\",\"x\":1.50}}}");
        answer(asked);
    }

    @Test
    void whatTheServerLogsIsReportedInTheRoundInWhichItDoes() {
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            connection.send(
                                    "notifications/message",
                                    FakeTransports.json("{\"data\": \"before\"}"));
                            ask(connection, "{\"message\": \"Who?\"}");
                            connection.send(
                                    "notifications/message",
                                    FakeTransports.json("{\"data\": \"after\"}"));
                            return FakeTransports.echo(params);
                        });
        agent = agent.receiving("debug");

        Answer asked = call();
        Answer answered = answer(asked);

        assertThat(asked.messages().getFirst().at("/params/data").asString()).isEqualTo("before");
        assertThat(answered.messages().getFirst().at("/params/data").asString()).isEqualTo("after");
        assertThat(answered.messages()).hasSize(2);
    }

    @Test
    void resultThatLooksLikeAQuestionEndsTheCall() {
        rig.servers()
                .on(
                        "tools/call",
                        (connection, _) -> {
                            ask(connection, "{\"message\": \"Who?\"}");
                            return FakeTransports.json(
                                    "{\"resultType\": \"input_required\", \"content\": []}");
                        });
        Answer asked = call();

        Answer done = answer(asked);

        assertThat(done.at("/result/resultType")).isEqualTo("complete");
        assertThat(rig.suspended().size()).isZero();
    }

    @Test
    void callGoesOnWithTheAnswer() {
        Answer asked = call();

        Answer done =
                call(
                        "{\"b\": 2, \"a\": 1}",
                        round(
                                asked,
                                "{\"input-1\": {\"action\": \"accept\", \"content\": {\"n\":"
                                        + " 1.50}}, \"other\": {}}"));

        assertThat(done.at("/result/resultType")).isEqualTo("complete");
        assertThat(done.at("/result/structuredContent/0/result"))
                .isEqualTo("{\"action\":\"accept\",\"content\":{\"n\":1.50}}");
        assertThat(rig.servers().count("tools/call")).isOne();
    }

    @Test
    void serverMayAskAgain() {
        serverAsks(List.of("{\"message\": \"Who?\"}", "{\"message\": \"Where?\"}"));

        Answer again = answer(call());

        assertThat(again.at("/result/inputRequests/input-2/params/message")).isEqualTo("Where?");
        Answer done =
                call(
                        "{\"a\": 1, \"b\": 2}",
                        round(again, "{\"input-2\": {\"action\": \"cancel\"}}"));
        assertThat(done.at("/result/structuredContent/1/result/action")).isEqualTo("cancel");
        assertThat(rig.servers().count("tools/call")).isOne();
    }

    @Test
    void answerThatIsMissingIsAskedForAgain() {
        Answer again = call("{\"a\": 1, \"b\": 2}", round(call(), "{}"));

        assertThat(again.at("/result/inputRequests/input-1/method")).isEqualTo(ELICIT);
        assertThat(answer(again).at("/result/structuredContent/0/result/action"))
                .isEqualTo("decline");
    }

    /** The time of the suspended calls stands still until {@link #callAndAwait} moves it. */
    private void stopTime() {
        rig.close();
        rig = McpRig.withInputClock(clock);
        agent = new StatelessAgent(rig.probe("/mcp"), ASKABLE);
        serverAsksOnce();
    }

    /** Makes a call in which the server asks so much while no time passes. */
    private Answer callAndAwait(int questions) throws Exception {
        FutureTask<Answer> asked = new FutureTask<>(this::call);
        Thread.startVirtualThread(asked);
        await().until(() -> Collections.frequency(clock.delays(), INPUT_TIMEOUT) == questions);
        await().until(
                        () -> {
                            clock.advance(SuspendedCall.GATHERING);
                            return asked.isDone();
                        });
        return asked.get();
    }

    @Test
    void whatIsAskedAtTheSameTimeIsOneRound() throws Exception {
        stopTime();
        rig.servers()
                .on(
                        "tools/call",
                        (connection, _) -> {
                            CompletableFuture<JsonRpcMessage> where =
                                    connection.ask(
                                            ids.incrementAndGet(),
                                            ELICIT,
                                            FakeTransports.json("{\"message\": \"Where?\"}"));
                            ask(connection, "{\"message\": \"Who?\"}");
                            progress.add(JsonRpcCodec.toTree(where.join()));
                            return FakeTransports.json("{\"content\": []}");
                        });

        Answer asked = callAndAwait(2);

        assertThat(asked.json().at("/result/inputRequests")).hasSize(2);
        call(
                "{\"a\": 1, \"b\": 2}",
                round(
                        asked,
                        """
                        {"input-1": {"action": "accept"}, "input-2": {"action": "accept"}}\
                        """));
        assertThat(progress).hasSize(2);
    }

    /** H-24: a client that forgot a call would never be asked during another one. */
    @Test
    void callThatIsLeftToItselfTakesNoQuestionOfALaterOne() {
        agent = agent.named("me");
        List<Answer> left = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Answer asked = call();
            assertThat(asked.at("/result/resultType")).isEqualTo("input_required");
            left.add(asked);
        }

        left.forEach(
                asked -> assertThat(answer(asked).at("/result/resultType")).isEqualTo("complete"));
        assertThat(progress).hasSize(6);
    }

    @Test
    void stateIsGoodForTheSameRequestOnly() {
        Answer asked = call();

        Answer other = call("{\"a\": 2, \"b\": 2}", round(asked, "{}"));

        assertThat(other.at("/error/code")).isEqualTo("-32602");
        assertThat(other.at("/error/message")).contains("given out for another request");
        assertThat(progress).isEmpty();
        answer(asked);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "made up", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    void stateThatWasNotGivenOutHereIsRefused(String state) {
        Answer answer = call("{}", round(state, "{}"));

        assertThat(answer.at("/error/code")).isEqualTo("-32602");
        assertThat(rig.servers().count("tools/call")).isZero();
    }

    @Test
    void stateThatWasChangedIsRefused() {
        Answer asked = call();
        String state = asked.at("/result/requestState");
        char last = state.charAt(20) == 'A' ? 'B' : 'A';

        Answer answer =
                call(
                        "{\"a\": 1, \"b\": 2}",
                        round(state.substring(0, 20) + last + state.substring(21), "{}"));

        assertThat(answer.at("/error/code")).isEqualTo("-32602");
        answer(asked);
    }

    @Test
    void stateIsGoodOnce() {
        Answer asked = call();
        answer(asked);

        Answer again = answer(asked);

        assertThat(again.at("/result/isError")).isEqualTo("true");
        assertThat(again.at("/result/content/0/text")).contains("it has ended");
        assertThat(rig.servers().count("tools/call")).isOne();
    }

    @Test
    void callOfAReplicaThatIsAwayIsAnErrorForTheModel() {
        Answer asked = call();
        RequestStates.State state =
                McpRig.STATES.open(asked.at("/result/requestState")).orElseThrow();
        String elsewhere =
                McpRig.STATES.seal(
                        new RequestStates.State(
                                state.call(),
                                "there",
                                state.caller(),
                                state.request(),
                                Instant.now().plusSeconds(60)));

        Answer answer = call("{\"a\": 1, \"b\": 2}", round(elsewhere, "{}"));

        assertThat(answer.at("/result/isError")).isEqualTo("true");
        assertThat(answer.at("/result/content/0/text"))
                .contains("the replica \"there\" is away", "begin it again");
        answer(asked);
    }

    @Test
    void serverIsNotifiedWhenTheAgentDoesNotComeBack() throws Exception {
        stopTime();
        Instant begin = clock.instant();
        Answer asked = callAndAwait(1);
        assertThat(rig.suspended().size()).isOne();

        clock.advance(Duration.between(clock.instant(), begin.plus(INPUT_TIMEOUT)));
        await().until(() -> !progress.isEmpty());
        clock.advance(INPUT_TIMEOUT);

        assertThat(rig.suspended().size()).isZero();
        assertThat(progress.getFirst().has("error")).isTrue();
        Answer late = answer(asked);
        assertThat(late.at("/result/isError")).isEqualTo("true");
        assertThat(late.at("/result/content/0/text")).contains("too late");
    }

    @Test
    void agentThatGoesAwayWhileItsCallGoesOnCancelsIt() throws Exception {
        CountDownLatch goesOn = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        rig.servers()
                .on(
                        "tools/call",
                        (connection, _) -> {
                            ask(connection, "{\"message\": \"Who?\"}");
                            goesOn.countDown();
                            never.await();
                            return FakeTransports.json("{}");
                        });
        Answer asked = call();
        String members =
                "\"name\": \"github__echo\", \"arguments\": {\"a\": 1, \"b\": 2}"
                        + round(asked, "{\"input-1\": {\"action\": \"accept\"}}");

        try (McpProbe.Stream stream =
                agent.open("tools/call", members, "Mcp-Name", "github__echo")) {
            assertThat(stream.code()).isEqualTo(200);
            goesOn.await();
        }

        await().until(() -> rig.suspended().size() == 0);
        await().until(() -> rig.sessions().sessions().stream().allMatch(s -> s.inFlight() == 0));
        never.countDown();
    }

    @Test
    void agentThatCannotBeAskedIsNotParked() {
        Answer answer = call(new StatelessAgent(rig.probe("/mcp")), "{}", "");

        assertThat(answer.at("/result/structuredContent/0/error/code")).isEqualTo("-32601");
    }

    @Test
    void withoutThePolicyNothingIsParked() {
        rig.catalog().putServer(McpRig.SERVER);

        assertThat(call().at("/result/structuredContent/0/error/code")).isEqualTo("-32601");
    }

    @ParameterizedTest
    @CsvSource({"me, , 1", "somebody else, , 2", "me, 192.0.2.1, 2"})
    void sessionStaysWithTheAgentThatGaveUpItsCall(
            String name, @Nullable String forwardedFor, int sessions) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        rig.servers()
                .on(
                        "tools/call",
                        (_, _) -> {
                            begun.countDown();
                            new CountDownLatch(1).await();
                            throw new AssertionError();
                        });
        String members = "\"name\": \"github__echo\", \"arguments\": {}";
        String[] headers =
                forwardedFor == null
                        ? new String[] {"Mcp-Name", "github__echo"}
                        : new String[] {
                            "Mcp-Name", "github__echo", "X-Forwarded-For", forwardedFor
                        };
        try (McpProbe.Stream call = agent.named("me").open("tools/call", members, headers)) {
            begun.await();
            assertThat(call.code()).isEqualTo(200);
        }
        await().until(() -> rig.sessions().sessions().getFirst().inFlight() == 0);
        serverAsksOnce();

        Answer asked = agent.named(name).ask("tools/call", members, headers);

        assertThat(asked.at("/result/inputRequests/input-1/params/message")).isEqualTo("Who?");
        assertThat(rig.servers().made()).hasSize(sessions);
        Answer done =
                agent.ask(
                        "tools/call",
                        members + round(asked, "{\"input-1\": {\"action\": \"decline\"}}"),
                        headers);
        assertThat(done.at("/result/resultType")).isEqualTo("complete");
    }
}
