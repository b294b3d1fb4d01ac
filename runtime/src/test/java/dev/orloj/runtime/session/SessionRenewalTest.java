package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.client.SessionPolicy;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.TransportException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.FutureTask;

/** Sessions that are replaced because they are old, or have worked enough. */
@Timeout(60)
class SessionRenewalTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private static final ServerDefinition ONE_HOUR =
            Definitions.withPolicy(
                    Definitions.server("github"),
                    new SessionPolicy(Optional.empty(), HOUR, 0, Optional.empty()));

    private static final ServerDefinition THREE_CALLS =
            Definitions.withPolicy(
                    Definitions.server("github"),
                    new SessionPolicy(Optional.empty(), Duration.ZERO, 3, Optional.empty()));

    @RegisterExtension private final SessionRig rig = new SessionRig();

    @Test
    void oldSessionIsReplacedByANewOneThatWasOpenedFirst() throws Exception {
        rig.call(ONE_HOUR);

        rig.clock.advance(HOUR);

        awaitSession("default/github#2");
        // A thread of its own reports each session, so the last two may come in any order.
        await().untilAsserted(
                        () ->
                                assertThat(rig.listener.events())
                                        .containsExactlyInAnyOrder(
                                                "opened default/github#1",
                                                "opened default/github#2",
                                                "closed default/github#1: replaced: max_lifetime,"
                                                        + " 1h, is over"));
        rig.clock.advance(HOUR);
        awaitSession("default/github#3");
    }

    @Test
    void sessionIsReplacedAfterItsCallsAndCountsAnew() throws Exception {
        for (int i = 0; i < 3; i++) {
            rig.call(THREE_CALLS);
        }
        awaitSession("default/github#2");

        rig.call(THREE_CALLS);
        rig.call(THREE_CALLS);
        assertThat(current()).isEqualTo("default/github#2");
        rig.call(THREE_CALLS);

        awaitSession("default/github#3");
    }

    @Test
    void callsInFlightOfTheOldSessionFinish() throws Exception {
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> running = SessionRig.start(() -> rig.call(ONE_HOUR));
        held.arrived.await();

        rig.clock.advance(HOUR);
        awaitSession("default/github#2");
        assertThat(rig.transports.open()).hasSize(2);
        held.go.countDown();

        assertThat(running.get().has("content")).isTrue();
        await().untilAsserted(() -> assertThat(rig.transports.open()).hasSize(1));
    }

    @Test
    void callsInFlightBeyondTheDrainTimeoutOfTheServerAreCutOff() throws Exception {
        ServerDefinition expiring =
                Definitions.withPolicy(
                        Definitions.server("github"),
                        new SessionPolicy(
                                Optional.empty(), HOUR, 0, Optional.of(Duration.ofSeconds(2))));
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> running = SessionRig.start(() -> rig.call(expiring));
        held.arrived.await();
        rig.clock.advance(HOUR);
        // The new session is there a moment before the old one begins to drain.
        await().until(() -> rig.clock.delays().contains(Duration.ofSeconds(2)));
        assertThat(current()).isEqualTo("default/github#2");

        rig.clock.advance(Duration.ofSeconds(2));

        await().until(running::isDone);
        assertThat(running.state()).isEqualTo(FutureTask.State.FAILED);
        assertThat(running.exceptionNow()).isInstanceOf(TransportException.class);
        held.go.countDown();
    }

    @Test
    void sessionThatCannotBeReplacedGoesOnAndIsTriedAgain() throws Exception {
        rig.call(ONE_HOUR);
        rig.transports.on(
                "initialize",
                (connection, params) -> {
                    throw new TransportException("no memory left", false);
                });

        rig.clock.advance(HOUR);

        // The next try needs its timer, and the end of the one before.
        await().until(() -> rig.clock.delays().contains(Duration.ofMinutes(1)));
        await().until(() -> rig.manager.openingSince(ONE_HOUR).isEmpty());
        assertThat(rig.call(ONE_HOUR).has("content")).isTrue();
        assertThat(current()).isEqualTo("default/github#1");
        rig.transports.on(
                "initialize", (connection, params) -> FakeTransports.initializeResult(params));
        rig.clock.advance(Duration.ofMinutes(1));
        awaitSession("default/github#3");
    }

    @Test
    void replacementOfAnIdleSessionStaysIdle() throws Exception {
        ServerDefinition sleepy = Definitions.withIdleTimeout(ONE_HOUR, Duration.ofMinutes(90));
        rig.call(sleepy);
        rig.clock.advance(HOUR);
        awaitSession("default/github#2");

        rig.clock.advance(Duration.ofMinutes(30));

        await().untilAsserted(() -> assertThat(rig.transports.open()).isEmpty());
    }

    /** Whatever happens: no call waits for a session while there is one, and none is left over. */
    @Test
    void anyOrderOfCallsDeathsChangesAndTimeKeepsOneSession() throws Exception {
        long seed = 20261121;
        Random random = new Random(seed);
        ServerDefinition server =
                Definitions.withPolicy(
                        Definitions.withIdleTimeout(
                                Definitions.server("github"), Duration.ofMinutes(40)),
                        new SessionPolicy(Optional.empty(), HOUR, 5, Optional.empty()));
        long generation = 1;
        for (int step = 0; step < 400; step++) {
            switch (random.nextInt(8)) {
                case 0 -> rig.clock.advance(Duration.ofMinutes(random.nextInt(70)));
                case 1 ->
                        rig.transports.made().stream()
                                .skip(Math.max(0, rig.transports.made().size() - 1))
                                .filter(connection -> rig.transports.open().contains(connection))
                                .forEach(connection -> connection.die("killed"));
                case 2 -> server = Definitions.generation(server, ++generation);
                default -> {
                    ServerDefinition wanted = server;
                    assertThat(callUnlessItDies(wanted))
                            .as("seed %d, step %d", seed, step)
                            .isTrue();
                }
            }
        }

        ServerDefinition last = server;
        await().untilAsserted(
                        () -> {
                            assertThat(rig.call(last).has("content")).isTrue();
                            assertThat(rig.transports.open()).hasSize(1);
                            assertThat(rig.manager.sessions(last.server())).hasSize(1);
                        });
    }

    /** A connection that was killed under a call, open or opening, is its only excuse. */
    private boolean callUnlessItDies(ServerDefinition server) throws InterruptedException {
        try {
            return rig.call(server).has("content");
        } catch (TransportException | SessionOpenException e) {
            return String.valueOf(e.getMessage()).contains("killed");
        }
    }

    private void awaitSession(String id) {
        await().until(() -> current().equals(id));
    }

    private String current() {
        return rig.manager.liveSession(ONE_HOUR.server()).map(Session::toString).orElse("");
    }
}
