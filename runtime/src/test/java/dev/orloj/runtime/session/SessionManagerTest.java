package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.session.lifecycle.SessionState;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransport;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.SessionExpiredException;
import dev.orloj.runtime.transport.TransportException;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(30)
class SessionManagerTest {

    private static final ServerDefinition SERVER = Definitions.server("github");
    private static final ResourceKey KEY = SERVER.server();

    @RegisterExtension private final SessionRig rig = new SessionRig();

    private final FakeTransports transports = rig.transports;
    private final SessionManager manager = rig.manager;

    @Test
    void hundredConcurrentFirstCallsInitialiseOnce() throws Exception {
        List<FutureTask<JsonNode>> calls = SessionRig.startMany(100, () -> rig.call(SERVER));

        for (FutureTask<JsonNode> call : calls) {
            assertThat(call.get().path("content").get(0).path("text").asString())
                    .isEqualTo("{\"a\":1}");
        }
        assertThat(transports.count("initialize")).isEqualTo(1);
        assertThat(transports.made()).hasSize(1);
        assertThat(manager.sessions(KEY)).singleElement().extracting("calls").isEqualTo(100L);
    }

    @Test
    void warmSessionIsUsedAgain() throws Exception {
        Session first = TestSessions.sessionFor(manager, SERVER);

        assertThat(TestSessions.sessionFor(manager, SERVER)).isSameAs(first);
        assertThat(manager.liveSession(KEY)).containsSame(first);
    }

    @Test
    void openingIntroducesBothSides() throws Exception {
        Session session = TestSessions.sessionFor(manager, SERVER);

        assertThat(transports.latest().received())
                .containsExactly("server/discover", "initialize", "notifications/initialized");
        assertThat(transports.latest().negotiatedVersion()).hasToString("2025-11-25");
        assertThat(session.identity().serverInfo().path("name").asString()).isEqualTo("fake");
        assertThat(session.state().label()).isEqualTo("Ready");
        assertThat(rig.listener.events()).containsExactly("opened default/github#1");
    }

    @Test
    void interruptedWaiterLeavesTheOpeningToTheOthers() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        transports.on(
                "initialize",
                (connection, params) -> {
                    go.await();
                    return FakeTransports.initializeResult(params);
                });
        FutureTask<Session> first =
                new FutureTask<>(() -> TestSessions.sessionFor(manager, SERVER));
        Thread interrupted = Thread.startVirtualThread(first);
        await().until(() -> transports.count("initialize") == 1);
        FutureTask<Session> second =
                SessionRig.start(() -> TestSessions.sessionFor(manager, SERVER));

        interrupted.interrupt();

        assertThatThrownBy(first::get).hasCauseInstanceOf(InterruptedException.class);
        go.countDown();
        assertThat(second.get().isReady()).isTrue();
        assertThat(transports.count("initialize")).isEqualTo(1);
    }

    @Test
    void changedKeyOpensTheNewSessionAndDrainsTheOld() throws Exception {
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> running = SessionRig.start(() -> rig.call(SERVER));
        held.arrived.await();

        Session next = TestSessions.sessionFor(manager, Definitions.generation(SERVER, 2));

        assertThat(manager.liveSession(KEY)).containsSame(next);
        assertThat(transports.open()).hasSize(2);
        assertThat(manager.sessions(KEY))
                .extracting(SessionInfo::state)
                .containsExactly(SessionState.Name.DRAINING, SessionState.Name.READY);
        held.go.countDown();
        assertThat(running.get().has("content")).isTrue();
        await().untilAsserted(() -> assertThat(transports.open()).hasSize(1));
        await().untilAsserted(
                        () ->
                                assertThat(rig.listener.events())
                                        .endsWith(
                                                "closed default/github#1: replaced by generation"
                                                        + " 2"));
    }

    @Test
    void drainEndsWithItsTimeout() throws Exception {
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> running = SessionRig.start(() -> rig.call(SERVER));
        held.arrived.await();
        TestSessions.sessionFor(manager, Definitions.generation(SERVER, 2));

        rig.clock.advance(Duration.ofSeconds(30));

        assertThatThrownBy(running::get).hasCauseInstanceOf(TransportException.class);
        await().untilAsserted(() -> assertThat(transports.open()).hasSize(1));
    }

    @Test
    void rotatedSecretOpensANewSession() throws Exception {
        Session before = TestSessions.sessionFor(manager, SERVER);
        SessionKey rotated = new SessionKey("uid-github", 1, "other digest");

        Session after = TestSessions.sessionFor(manager, Definitions.withKey(SERVER, rotated));

        assertThat(after).isNotSameAs(before);
        await().untilAsserted(() -> assertThat(before.state().label()).isEqualTo("Closed"));
    }

    @Test
    void earlierGenerationIsServedByTheNewerSession() throws Exception {
        Session newer = TestSessions.sessionFor(manager, Definitions.generation(SERVER, 2));

        assertThat(TestSessions.sessionFor(manager, SERVER)).isSameAs(newer);
        assertThat(transports.made()).hasSize(1);
    }

    @Test
    void oldVersionServesCallsWhileTheNewOneDoesNotOpen() throws Exception {
        ServerDefinition changed = Definitions.generation(SERVER, 2);
        Session before = TestSessions.sessionFor(manager, SERVER);
        transports.on(
                "initialize",
                (connection, params) -> {
                    throw new TransportException("exited with code 1", true);
                });

        assertThat(rig.call(changed).has("content")).isTrue();
        assertThat(rig.call(changed).has("content")).isTrue();
        assertThat(transports.count("initialize")).as("calls do not try again").isEqualTo(2);
        assertThatThrownBy(() -> TestSessions.sessionFor(manager, changed))
                .isInstanceOf(SessionOpenException.class);
        assertThat(manager.liveSession(KEY)).containsSame(before);

        transports.on(
                "initialize", (connection, params) -> FakeTransports.initializeResult(params));
        Session after = TestSessions.sessionFor(manager, changed);

        assertThat(manager.liveSession(KEY)).containsSame(after);
        await().untilAsserted(() -> assertThat(before.state().label()).isEqualTo("Closed"));
    }

    @Test
    void serverOfTheSameNameIsNotServedByItsPredecessor() throws Exception {
        Session before = TestSessions.sessionFor(manager, SERVER);
        transports.on(
                "initialize",
                (connection, params) -> {
                    throw new TransportException("exited with code 1", true);
                });
        ServerDefinition other =
                Definitions.withKey(SERVER, new SessionKey("uid-of-another", 1, "digest"));

        assertThatThrownBy(() -> rig.call(other)).isInstanceOf(SessionOpenException.class);

        await().untilAsserted(() -> assertThat(before.state().label()).isEqualTo("Closed"));
    }

    @Test
    void retireLeavesNothing() throws Exception {
        TestSessions.sessionFor(manager, SERVER);
        TestSessions.sessionFor(manager, Definitions.server("other"));
        manager.log(KEY).append("hello");

        TestSessions.retire(manager, KEY);

        assertThat(transports.made().getFirst().isClosed()).isTrue();
        assertThat(manager.sessions(KEY)).isEmpty();
        assertThat(manager.sessions()).hasSize(1);
        assertThat(manager.log(KEY).tail(10)).isEmpty();
        assertThat(rig.listener.events()).contains("closed default/github#1: retired");
    }

    @Test
    void retireWaitsForCallsInFlight() throws Exception {
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> running = SessionRig.start(() -> rig.call(SERVER));
        held.arrived.await();
        FutureTask<?> retiring =
                SessionRig.start(
                        () -> {
                            TestSessions.retire(manager, KEY);
                            return true;
                        });
        await().until(() -> manager.liveSession(KEY).isEmpty());
        assertThat(retiring.isDone()).isFalse();

        held.go.countDown();

        retiring.get();
        assertThat(running.get().has("content")).isTrue();
        assertThat(transports.open()).isEmpty();
    }

    @Test
    void retireBreaksOffAnOpening() throws Exception {
        transports.on(
                "initialize",
                (connection, params) -> {
                    new CountDownLatch(1).await();
                    return params;
                });
        FutureTask<Session> opening =
                SessionRig.start(() -> TestSessions.sessionFor(manager, SERVER));
        await().until(() -> transports.count("initialize") == 1);

        TestSessions.retire(manager, KEY);

        assertThatThrownBy(opening::get).hasCauseInstanceOf(SessionOpenException.class);
        assertThat(transports.open()).isEmpty();
    }

    @Test
    void closeEndsAllSessionsAndOpensNoMore() throws Exception {
        TestSessions.sessionFor(manager, SERVER);
        TestSessions.sessionFor(manager, Definitions.server("other"));

        manager.close();

        assertThat(transports.open()).isEmpty();
        assertThat(manager.sessions()).isEmpty();
        assertThatThrownBy(() -> TestSessions.sessionFor(manager, SERVER))
                .isInstanceOf(SessionOpenException.class)
                .hasMessageContaining("orlojd stops");
    }

    @Test
    void deathFailsTheCallWithItsCauseAndTheNextCallWorks() throws Exception {
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> running = SessionRig.start(() -> rig.call(SERVER));
        held.arrived.await();

        transports.latest().die("exited with code 137");

        assertThatThrownBy(running::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(TransportException.class)
                .hasMessage("exited with code 137");
        held.go.countDown();
        assertThat(rig.call(SERVER).has("content")).isTrue();
        assertThat(transports.made()).hasSize(2);
        await().untilAsserted(
                        () ->
                                assertThat(rig.listener.events())
                                        .contains("failed default/github#1: exited with code 137"));
        assertThat(transports.made().getFirst().isClosed()).isTrue();
    }

    @Test
    void deathIsNoticedWithoutACall() throws Exception {
        TestSessions.sessionFor(manager, SERVER);

        transports.latest().die("exited with code 0");

        assertThat(manager.liveSession(KEY)).isEmpty();
        await().untilAsserted(() -> assertThat(manager.sessions(KEY)).isEmpty());
        assertThat(manager.restarts(KEY)).isEqualTo(1);
    }

    @Test
    void endThatWasAskedForIsNoRestart() throws Exception {
        Session before = TestSessions.sessionFor(manager, SERVER);

        TestSessions.sessionFor(manager, Definitions.generation(SERVER, 2));

        await().untilAsserted(() -> assertThat(before.state().label()).isEqualTo("Closed"));
        assertThat(manager.restarts(KEY)).isZero();
    }

    @Test
    void callInFlightIsNeverReplayed() throws Exception {
        AtomicInteger executions = new AtomicInteger();
        transports.on(
                "tools/call",
                (connection, params) -> {
                    executions.incrementAndGet();
                    connection.die("exited");
                    throw new TransportException("exited", true);
                });

        assertThatThrownBy(() -> rig.call(SERVER)).isInstanceOf(TransportException.class);

        assertThat(executions).hasValue(1);
    }

    @Test
    void expiredSessionInitialisesOnceAgainAndRepeatsTheRequest() throws Exception {
        TestSessions.sessionFor(manager, SERVER);
        FakeTransport forgotten = transports.latest();
        transports.on(
                "tools/call",
                (connection, params) -> {
                    if (connection == forgotten) {
                        throw new SessionExpiredException("Server answered with HTTP 404");
                    }
                    return FakeTransports.echo(params);
                });

        assertThat(rig.call(SERVER).has("content")).isTrue();

        assertThat(transports.count("initialize")).isEqualTo(2);
        await().until(forgotten::isClosed);
    }

    @Test
    void sessionThatExpiresAgainAndAgainIsAnError() {
        transports.on(
                "tools/call",
                (connection, params) -> {
                    throw new SessionExpiredException("Server answered with HTTP 404");
                });

        assertThatThrownBy(() -> rig.call(SERVER)).isInstanceOf(SessionExpiredException.class);

        assertThat(transports.count("initialize")).isEqualTo(2);
        assertThat(transports.count("tools/call")).isEqualTo(2);
    }

    @Test
    void changedToolsAreAnnounced() throws Exception {
        TestSessions.sessionFor(manager, SERVER);

        transports.latest().send("notifications/tools/list_changed");
        transports.latest().send("notifications/message");

        assertThat(rig.listener.events())
                .containsExactly(
                        "opened default/github#1",
                        "tools changed default/github",
                        "default/github says notifications/message null");
    }

    @Test
    void countersShowCallsAndErrors() throws Exception {
        Session session = TestSessions.sessionFor(manager, SERVER);
        rig.call(SERVER);
        rig.clock.advance(Duration.ofSeconds(7));
        transports.on(
                "tools/call",
                (connection, params) -> {
                    throw new TransportException("unusable answer", true);
                });
        assertThatThrownBy(() -> rig.call(SERVER)).isInstanceOf(TransportException.class);

        SessionInfo info = session.info();

        assertThat(info.calls()).isEqualTo(2);
        assertThat(info.errors()).isEqualTo(1);
        assertThat(info.inFlight()).isZero();
        assertThat(info.lastUsedAt()).isEqualTo(rig.clock.instant());
        assertThat(info.startedAt()).isEqualTo(rig.clock.instant().minusSeconds(7));
        assertThat(info.pid()).hasValue(4711L);
        assertThat(info.protocolVersion()).isEqualTo("2025-11-25");
    }

    @RepeatedTest(20)
    void callsGoOnWhileTheServerIsChangedUnderThem() throws Exception {
        AtomicInteger generation = new AtomicInteger(1);
        List<FutureTask<Integer>> callers =
                SessionRig.startMany(
                        8,
                        () -> {
                            int done = 0;
                            while (generation.get() < 6) {
                                rig.call(Definitions.generation(SERVER, generation.get()));
                                done++;
                            }
                            return done;
                        });

        for (int next = 2; next <= 6; next++) {
            TestSessions.sessionFor(manager, Definitions.generation(SERVER, next));
            generation.set(next);
        }

        for (FutureTask<Integer> caller : callers) {
            caller.get(20, TimeUnit.SECONDS);
        }
        await().untilAsserted(
                        () ->
                                assertThat(manager.sessions(KEY))
                                        .singleElement()
                                        .extracting(SessionInfo::generation)
                                        .isEqualTo(6L));
        assertThat(transports.open()).hasSize(1);
    }

    @Test
    void nothingSecretIsShownByADefinition() {
        ServerDefinition definition =
                Definitions.withAddress(
                        SERVER,
                        new ServerAddress.Stdio(
                                List.of("server", "--key=hunter2"),
                                Map.of("TOKEN", "hunter2"),
                                Duration.ofSeconds(1)));

        assertThat(definition.toString()).contains("github").doesNotContain("hunter2", "digest");
    }
}
