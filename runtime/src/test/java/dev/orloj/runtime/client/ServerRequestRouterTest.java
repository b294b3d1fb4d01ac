package dev.orloj.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.session.SessionRig;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransport;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A server of an older revision that asks back, over a transport that does not name the call. */
@Timeout(30)
class ServerRequestRouterTest {

    private static final String ELICIT = "elicitation/create";
    private static final JsonNode QUESTION =
            FakeTransports.json("{\"message\": \"Who?\", \"x\": 1.50}");

    @RegisterExtension private final SessionRig rig = new SessionRig();

    private final ServerDefinition server =
            Definitions.withBridge(
                    Definitions.server("asking"),
                    new ServerRequestPolicy(Set.of("elicitation"), Set.of()));

    /** A client that answers with what it was asked. */
    private record Echoing(ClientCapabilities capabilities, Object agent)
            implements RequestingClient {

        private Echoing(ClientCapabilities capabilities) {
            this(capabilities, new Object());
        }

        @Override
        public JsonNode ask(ResourceKey server, String method, @Nullable JsonNode params) {
            ObjectNode answer = (ObjectNode) FakeTransports.json("{\"action\": \"accept\"}");
            answer.put("method", method).set("params", params);
            return answer;
        }
    }

    /** A client that takes its time. */
    private static final class Thinking implements RequestingClient {

        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch givenUp = new CountDownLatch(1);
        private final CompletableFuture<JsonNode> answer = new CompletableFuture<>();

        @Override
        public ClientCapabilities capabilities() {
            return eliciting();
        }

        @Override
        public JsonNode ask(ResourceKey server, String method, @Nullable JsonNode params)
                throws InterruptedException {
            asked.countDown();
            try {
                return answer.get();
            } catch (InterruptedException e) {
                givenUp.countDown();
                throw e;
            } catch (ExecutionException e) {
                throw new JsonRpcException(new JsonRpcError(-1, "no", null));
            }
        }
    }

    private static ClientCapabilities eliciting() {
        return ClientCapabilities.of(FakeTransports.json("{\"elicitation\": {}, \"roots\": {}}"));
    }

    private FutureTask<JsonNode> call(RequestingClient client) {
        ObjectNode params = (ObjectNode) FakeTransports.json("{\"name\": \"echo\"}");
        SessionRequest request =
                new SessionRequest(
                        "tools/call",
                        params,
                        SessionRig.TIMEOUT,
                        ProgressListener.NONE,
                        ParameterHeaders.NONE,
                        client);
        return SessionRig.start(
                () -> rig.manager.withSession(server, request, session -> session.call(request)));
    }

    /** A call at which the server still is when its agent has given it up. */
    private void giveUpACall(RequestingClient client) throws Exception {
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> call = call(client);
        held.arrived.await();
        call.cancel(true);
        await().until(() -> rig.manager.sessions().getFirst().inFlight() == 0);
    }

    /** What becomes of a question that the server asks during a call of this client. */
    private JsonNode askedDuringACallOf(RequestingClient client) throws Exception {
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> call = call(client);
        held.arrived.await();
        JsonNode answer = answerTo(rig.transports.latest().ask(7, ELICIT, QUESTION));
        held.go.countDown();
        call.get();
        return answer;
    }

    private JsonNode answerTo(CompletableFuture<JsonRpcMessage> asked) throws Exception {
        return JsonRpcCodec.toTree(asked.get());
    }

    @Test
    void whatMayBeAskedIsDeclaredAtTheBeginning() throws Exception {
        call(RequestingClient.NONE).get();

        JsonNode offer =
                rig.transports.latest().requests().stream()
                        .filter(request -> request.method().equals("initialize"))
                        .findFirst()
                        .orElseThrow()
                        .params();
        assertThat(offer).isNotNull();
        assertThat(offer.path("capabilities").toString())
                .isEqualTo("{\"elicitation\":{\"form\":{},\"url\":{}}}");
    }

    @Test
    void clientOfTheOnlyCallIsAsked() throws Exception {
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> call = call(new Echoing(eliciting()));
        held.arrived.await();

        JsonNode answer = answerTo(rig.transports.latest().ask(7, ELICIT, QUESTION));

        assertThat(answer.toString())
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"action\":\"accept\",\"method\":\"elicitation/create\",\"params\":{\"message\":\"Who?\",\"x\":1.50}}}");
        held.go.countDown();
        call.get();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    sampling/createMessage | {}              | is not declared by the client
                    roots/list             | {}              | is not passed on by this server's policy
                    elicitation/create     | {"mode": "url"} | is in a mode that the client does not have
                    tasks/list             | {}              | is unheard of
                    """)
    void whatTheClientCannotAnswerIsRefused(String method, String params, String because)
            throws Exception {
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> call = call(new Echoing(eliciting()));
        held.arrived.await();

        JsonNode answer =
                answerTo(rig.transports.latest().ask(7, method, FakeTransports.json(params)));

        assertThat(answer.at("/error/code").asInt()).as(because).isEqualTo(-32601);
        held.go.countDown();
        call.get();
    }

    @Test
    void noClientIsAskedForACallThatMayBeAnothers() throws Exception {
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> one = call(new Echoing(eliciting()));
        FutureTask<JsonNode> other = call(RequestingClient.NONE);
        await().until(() -> rig.transports.count("tools/call") == 2);

        JsonNode answer = answerTo(rig.transports.latest().ask(7, ELICIT, QUESTION));

        assertThat(answer.at("/error/message").asString()).contains("Several calls are in flight");
        held.go.countDown();
        one.get();
        other.get();
        JsonNode later = answerTo(rig.transports.latest().ask(8, ELICIT, QUESTION));
        assertThat(later.at("/error/message").asString()).contains("No call is in flight");
    }

    @Test
    void clientIsNotAskedAnyLongerWhenTheServerGivesUp() throws Exception {
        SessionRig.Held held = rig.holdCalls();
        Thinking client = new Thinking();
        FutureTask<JsonNode> call = call(client);
        held.arrived.await();
        CompletableFuture<JsonRpcMessage> asked = rig.transports.latest().ask(7, ELICIT, QUESTION);
        client.asked.await();

        rig.transports
                .latest()
                .send("notifications/cancelled", FakeTransports.json("{\"requestId\": 7}"));

        client.givenUp.await();
        assertThat(answerTo(asked).has("error")).isTrue();
        held.go.countDown();
        call.get();
    }

    @Test
    void clientIsNotAskedAnyLongerWhenTheCallEnds() throws Exception {
        SessionRig.Held held = rig.holdCalls();
        Thinking client = new Thinking();
        FutureTask<JsonNode> call = call(client);
        held.arrived.await();
        CompletableFuture<JsonRpcMessage> asked = rig.transports.latest().ask(7, ELICIT, QUESTION);
        client.asked.await();

        held.go.countDown();

        call.get();
        client.givenUp.await();
        assertThat(answerTo(asked).has("error")).isTrue();
    }

    @Test
    void requestOfACancelledCallReachesNoOtherClient() throws Exception {
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> givenUp = call(new Echoing(eliciting()));
        FutureTask<JsonNode> other = call(new Echoing(eliciting()));
        await().until(() -> rig.transports.count("tools/call") == 2);

        givenUp.cancel(true);
        await().until(() -> rig.manager.sessions().getFirst().inFlight() == 1);

        JsonNode answer = answerTo(rig.transports.latest().ask(7, ELICIT, QUESTION));
        assertThat(answer.at("/error/message").asString()).contains("A call was given up");
        held.go.countDown();
        other.get();
    }

    @Test
    void afterACallWasGivenUpAnotherAgentGetsAnotherSession() throws Exception {
        giveUpACall(new Echoing(eliciting()));
        FakeTransport before = rig.transports.latest();

        JsonNode answer = askedDuringACallOf(new Echoing(eliciting()));

        assertThat(answer.has("result")).isTrue();
        assertThat(rig.transports.latest()).isNotSameAs(before);
        await().until(before::isClosed);
    }

    @Test
    void timedOutCallIsGivenUpToo() throws Exception {
        rig.transports.on(
                "tools/call",
                (_, _) -> {
                    throw new RequestTimeoutException("tools/call", SessionRig.TIMEOUT, false);
                });
        assertThatThrownBy(call(new Echoing(eliciting()))::get)
                .hasCauseInstanceOf(RequestTimeoutException.class);

        askedDuringACallOf(new Echoing(eliciting()));

        assertThat(rig.transports.made()).hasSize(2);
    }

    @Test
    void agentWhoseOwnCallWasGivenUpKeepsItsSession() throws Exception {
        Echoing agent = new Echoing(eliciting());
        giveUpACall(agent);

        JsonNode answer = askedDuringACallOf(agent);

        assertThat(answer.has("result")).isTrue();
        assertThat(rig.transports.made()).hasSize(1);
    }

    @Test
    void whoCannotBeAskedKeepsTheSession() throws Exception {
        giveUpACall(new Echoing(eliciting()));

        JsonNode answer = askedDuringACallOf(RequestingClient.of(eliciting()));

        assertThat(answer.has("error")).isTrue();
        assertThat(rig.transports.made()).hasSize(1);
    }

    @Test
    void callThatTheServerAnsweredWithAnErrorIsDone() throws Exception {
        rig.transports.on(
                "tools/call",
                (_, _) -> {
                    throw new JsonRpcException(SessionRig.error(-1));
                });
        assertThatThrownBy(call(new Echoing(eliciting()))::get)
                .hasCauseInstanceOf(JsonRpcException.class);

        JsonNode answer = askedDuringACallOf(new Echoing(eliciting()));

        assertThat(answer.has("result")).isTrue();
        assertThat(rig.transports.made()).hasSize(1);
    }
}
