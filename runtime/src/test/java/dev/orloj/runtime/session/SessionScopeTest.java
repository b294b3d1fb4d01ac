package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.LogLevel;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.isolation.Isolation;
import dev.orloj.runtime.isolation.SessionScope;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.limit.CallLimits;
import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransport;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Clients of one server that sends messages that name no call. */
@Timeout(30)
@DisplayName("H-23")
class SessionScopeTest {

    private static final ServerDefinition LOGGING = scoped(SessionScope.DETECTED, 10);
    private static final ServerDefinition ASKING =
            Definitions.withBridge(
                    LOGGING, new ServerRequestPolicy(Set.of("elicitation"), Set.of()));

    @RegisterExtension private final SessionRig rig = new SessionRig();

    private final Client anna = new Client("anna");
    private final Client bert = new Client("bert");

    /** Calls in flight, by the name of their client. */
    private final Map<String, InFlight> calls = new ConcurrentHashMap<>();

    private record InFlight(FakeTransport server, CountDownLatch go) {}

    private static ServerDefinition scoped(SessionScope scope, int most) {
        return Definitions.withLimits(
                Definitions.withIsolation(Definitions.server("shared"), new Isolation(scope, most)),
                new CallLimits(
                        1_000, 100, Duration.ofMillis(200), Optional.empty(), Optional.empty()));
    }

    /** One that receives logs, and answers when the test lets it. */
    private static final class Client implements RequestingClient, LogListener {

        private final String name;
        private final List<String> received = new CopyOnWriteArrayList<>();
        private final CompletableFuture<JsonNode> answer = new CompletableFuture<>();

        Client(String name) {
            this.name = name;
        }

        @Override
        public ClientCapabilities capabilities() {
            return ClientCapabilities.of(FakeTransports.json("{\"elicitation\": {}}"));
        }

        @Override
        public Object identity() {
            return name;
        }

        @Override
        public LogListener logs() {
            return this;
        }

        @Override
        public Optional<LogLevel> level() {
            return Optional.empty();
        }

        @Override
        public void logged(ObjectNode params) {
            received.add(params.path("data").asString());
        }

        @Override
        public JsonNode ask(ResourceKey server, String method, @Nullable JsonNode params)
                throws InterruptedException {
            try {
                return answer.get();
            } catch (ExecutionException e) {
                throw new AssertionError(e);
            }
        }
    }

    private SessionRequest request(RequestingClient client, String call) {
        return new SessionRequest(
                "tools/call",
                (ObjectNode) FakeTransports.json("{\"name\": \"%s\"}".formatted(call)),
                SessionRig.TIMEOUT,
                ProgressListener.NONE,
                ParameterHeaders.NONE,
                client);
    }

    /** Makes a call that stays in flight; returns when the server has it. */
    private FutureTask<JsonNode> begin(
            ServerDefinition server, RequestingClient client, String call) {
        hold();
        SessionRequest request = request(client, call);
        FutureTask<JsonNode> task =
                SessionRig.start(
                        () ->
                                rig.manager.withSession(
                                        server, request, session -> session.call(request)));
        await().until(() -> calls.containsKey(call));
        return task;
    }

    private void hold() {
        rig.transports.on(
                "tools/call",
                (connection, params) -> {
                    InFlight call = new InFlight(connection, new CountDownLatch(1));
                    calls.put(params.path("name").asString(), call);
                    call.go().await();
                    return FakeTransports.json("{}");
                });
    }

    private void end(FutureTask<JsonNode> task, String call) throws Exception {
        calls.get(call).go().countDown();
        task.get();
        calls.remove(call);
    }

    private FakeTransport serverOf(String call) {
        return calls.get(call).server();
    }

    private void log(FakeTransport server, String text) {
        server.send(
                LogListener.METHOD,
                FakeTransports.json("{\"level\": \"info\", \"data\": \"%s\"}".formatted(text)));
    }

    private long broadcasts() {
        return rig.listener.events().stream()
                .filter(event -> event.contains(LogListener.METHOD))
                .count();
    }

    @Test
    void questionOfOneCallWaitsForNoOtherClient() throws Exception {
        FutureTask<JsonNode> first = begin(ASKING, anna, "a");
        FutureTask<JsonNode> second = begin(ASKING, bert, "b");
        assertThat(serverOf("a")).isNotSameAs(serverOf("b"));
        JsonNode question = FakeTransports.json("{\"message\": \"?\"}");

        var parked = serverOf("a").ask(1, "elicitation/create", question);
        bert.answer.complete(FakeTransports.json("{\"action\": \"accept\"}"));
        var answered = serverOf("b").ask(1, "elicitation/create", question);

        assertThat(JsonRpcCodec.toTree(answered.get()).at("/result/action").asString())
                .isEqualTo("accept");
        assertThat(parked).isNotDone();
        anna.answer.complete(FakeTransports.json("{\"action\": \"decline\"}"));
        assertThat(JsonRpcCodec.toTree(parked.get()).at("/result/action").asString())
                .isEqualTo("decline");
        end(first, "a");
        end(second, "b");
    }

    @Test
    void whatIsLoggedDuringCallsOfTwoClientsReachesNeitherAndThenItsOwnOnly() throws Exception {
        FutureTask<JsonNode> first = begin(LOGGING, anna, "a");
        FutureTask<JsonNode> second = begin(LOGGING, bert, "b");
        assertThat(serverOf("a")).isSameAs(serverOf("b"));

        log(serverOf("a"), "of anna");
        end(first, "a");
        end(second, "b");
        first = begin(LOGGING, anna, "a");
        second = begin(LOGGING, bert, "b");
        assertThat(serverOf("a")).isNotSameAs(serverOf("b"));
        log(serverOf("a"), "of anna again");
        log(serverOf("b"), "of bert");

        assertThat(anna.received).containsExactly("of anna again");
        assertThat(bert.received).containsExactly("of bert");
        assertThat(broadcasts()).isZero();
        end(first, "a");
        end(second, "b");
    }

    @Test
    void serverThatDeclaresLoggingHasASessionForEachClientFromTheBeginning() throws Exception {
        rig.transports.on(
                "initialize",
                (connection, params) ->
                        FakeTransports.json(
                                "{\"protocolVersion\": \"2025-11-25\", \"serverInfo\": {},"
                                        + " \"capabilities\": {\"tools\": {}, \"logging\": {}}}"));
        TestSessions.sessionFor(rig.manager, LOGGING);
        FutureTask<JsonNode> first = begin(LOGGING, anna, "a");
        FutureTask<JsonNode> second = begin(LOGGING, bert, "b");

        log(serverOf("a"), "of anna");

        assertThat(serverOf("a")).isNotSameAs(serverOf("b"));
        assertThat(anna.received).containsExactly("of anna");
        assertThat(bert.received).isEmpty();
        end(first, "a");
        end(second, "b");
    }

    @Test
    void whatIsLoggedAfterACallReachesNotTheNextClient() throws Exception {
        end(begin(LOGGING, anna, "a"), "a");
        FutureTask<JsonNode> second = begin(LOGGING, bert, "b");

        log(serverOf("b"), "of anna, late");

        assertThat(bert.received).isEmpty();
        assertThat(broadcasts()).isZero();
        end(second, "b");
    }

    @Test
    void clientThatIsAloneKeepsItsSessionAndReceivesAllOfIt() throws Exception {
        FutureTask<JsonNode> first = begin(LOGGING, anna, "a1");
        log(serverOf("a1"), "one");
        FutureTask<JsonNode> second = begin(LOGGING, anna, "a2");
        log(serverOf("a2"), "two");

        assertThat(anna.received).containsExactly("one", "two");
        assertThat(rig.transports.made()).hasSize(1);
        end(first, "a1");
        end(second, "a2");
    }

    @Test
    void beforeAnyCallEveryListenerReceives() throws Exception {
        TestSessions.sessionFor(rig.manager, LOGGING);

        log(rig.transports.latest(), "started");

        assertThat(broadcasts()).isEqualTo(1);
    }

    @Test
    void nextOwnerOfASessionGetsAFreshOneAndSessionsAreBounded() throws Exception {
        ServerDefinition two = scoped(SessionScope.AGENT, 2);
        Client cleo = new Client("cleo");
        FutureTask<JsonNode> first = begin(two, anna, "a");
        FutureTask<JsonNode> second = begin(two, bert, "b");
        FakeTransport bertsServer = serverOf("b");
        SessionRequest waiting = request(cleo, "c");

        assertThatThrownBy(
                        () ->
                                rig.manager.withSession(
                                        two, waiting, session -> session.call(waiting)))
                .isInstanceOf(LimitReachedException.class)
                .hasMessageStartingWith("spec.max_sessions lets it have 2 sessions at a time");

        end(second, "b");
        FutureTask<JsonNode> third = begin(two, cleo, "c");
        assertThat(serverOf("c")).isNotSameAs(bertsServer).isNotSameAs(serverOf("a"));
        await().until(bertsServer::isClosed);
        end(first, "a");
        end(third, "c");
        assertThat(rig.transports.open()).hasSize(2);
    }

    @Test
    void callsOfOneClientAreApartIfEachIsToHaveASession() throws Exception {
        ServerDefinition apart = scoped(SessionScope.CALL, 10);
        FutureTask<JsonNode> first = begin(apart, anna, "a1");
        FutureTask<JsonNode> second = begin(apart, anna, "a2");

        assertThat(serverOf("a1")).isNotSameAs(serverOf("a2"));
        end(first, "a1");
        end(second, "a2");
        end(begin(apart, anna, "a3"), "a3");
        assertThat(rig.transports.made()).hasSize(2);
    }

    @Test
    void clientsThatReceiveOnlyResultsShareASession() throws Exception {
        ServerDefinition agent = scoped(SessionScope.AGENT, 10);
        FutureTask<JsonNode> first = begin(agent, RequestingClient.NONE, "n1");
        FutureTask<JsonNode> second =
                begin(agent, RequestingClient.of(ClientCapabilities.NONE), "n2");

        assertThat(serverOf("n1")).isSameAs(serverOf("n2"));
        end(first, "n1");
        end(second, "n2");
    }

    @Test
    void everythingIsSharedWhereTheManifestSaysSo() throws Exception {
        ServerDefinition shared = scoped(SessionScope.SHARED, 10);
        FutureTask<JsonNode> first = begin(shared, anna, "a");
        FutureTask<JsonNode> second = begin(shared, bert, "b");
        log(serverOf("a"), "for all");

        assertThat(broadcasts()).isEqualTo(1);
        end(first, "a");
        end(second, "b");
        assertThat(rig.transports.made()).hasSize(1);
    }

    @Test
    void callOfARetiredServerGetsNoSessionOfAnotherClientAfterwards() throws Exception {
        for (SessionScope scope : List.of(SessionScope.AGENT, SessionScope.CALL)) {
            ServerDefinition server = scoped(scope, 10);
            hold();
            SessionRequest request = request(anna, "a");
            List<FutureTask<JsonNode>> others = new CopyOnWriteArrayList<>();
            FutureTask<JsonNode> call =
                    SessionRig.start(
                            () ->
                                    rig.manager.withSession(
                                            server,
                                            request,
                                            session -> {
                                                if (others.isEmpty()) {
                                                    TestSessions.retire(
                                                            rig.manager, server.server());
                                                    others.add(begin(server, bert, "b"));
                                                }
                                                return session.call(request);
                                            }));

            await().until(() -> calls.containsKey("a"));

            assertThat(serverOf("a")).as("%s", scope).isNotSameAs(serverOf("b"));
            end(call, "a");
            end(others.getFirst(), "b");
            TestSessions.retire(rig.manager, server.server());
        }
    }

    @Test
    void retiredServerLeavesNoSessionOfAClient() throws Exception {
        ServerDefinition agent = scoped(SessionScope.AGENT, 10);
        FutureTask<JsonNode> first = begin(agent, anna, "a");
        FutureTask<JsonNode> second = begin(agent, bert, "b");
        end(first, "a");
        end(second, "b");

        TestSessions.retire(rig.manager, agent.server());

        assertThat(rig.transports.open()).isEmpty();
    }
}
