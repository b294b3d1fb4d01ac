package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.client.SessionPolicy;
import dev.orloj.runtime.client.SessionPolicy.HealthProbe;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

@Timeout(30)
class SessionIdleTest {

    private static final ServerDefinition ONE_SECOND =
            Definitions.withIdleTimeout(Definitions.server("github"), Duration.ofSeconds(1));

    @RegisterExtension private final SessionRig rig = new SessionRig();

    @Test
    void idleSessionIsReapedAndTheNextCallOpensANewOne() throws Exception {
        rig.call(ONE_SECOND);

        rig.clock.advance(Duration.ofSeconds(1));

        await().untilAsserted(() -> assertThat(rig.transports.open()).isEmpty());
        await().untilAsserted(
                        () ->
                                assertThat(rig.listener.events())
                                        .endsWith("closed default/github#1: idle for 1s"));
        assertThat(rig.call(ONE_SECOND).has("content")).isTrue();
        assertThat(rig.transports.count("initialize")).isEqualTo(2);
    }

    @Test
    void sessionNeverCalledIsReapedToo() throws Exception {
        TestSessions.sessionFor(rig.manager, ONE_SECOND);

        rig.clock.advance(Duration.ofSeconds(1));

        await().untilAsserted(() -> assertThat(rig.transports.open()).isEmpty());
    }

    @Test
    void everyCallStartsTheTimeAnew() throws Exception {
        for (int i = 0; i < 5; i++) {
            rig.call(ONE_SECOND);
            rig.clock.advance(Duration.ofMillis(999));
        }

        assertThat(rig.transports.made()).hasSize(1);
        rig.clock.advance(Duration.ofMillis(1));
        assertThat(rig.manager.liveSession(ONE_SECOND.server())).isEmpty();
    }

    @Test
    void callLongerThanTheIdleTimeoutFinishes() throws Exception {
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> running = SessionRig.start(() -> rig.call(ONE_SECOND));
        held.arrived.await();

        rig.clock.advance(Duration.ofSeconds(5));

        assertThat(rig.transports.open()).hasSize(1);
        held.go.countDown();
        assertThat(running.get().has("content")).isTrue();
        rig.clock.advance(Duration.ofMillis(999));
        assertThat(rig.manager.liveSession(ONE_SECOND.server())).isPresent();
        rig.clock.advance(Duration.ofSeconds(1));
        assertThat(rig.manager.liveSession(ONE_SECOND.server())).isEmpty();
    }

    @Test
    void pingDoesNotKeepASessionWarm() throws Exception {
        HealthProbe probe = new HealthProbe(Duration.ofMillis(900), SessionRig.TIMEOUT, 3);
        Session session =
                TestSessions.sessionFor(
                        rig.manager,
                        Definitions.withPolicy(
                                ONE_SECOND,
                                new SessionPolicy(
                                        Optional.of(probe), Duration.ZERO, 0, Optional.empty())));
        rig.clock.advance(Duration.ofMillis(900));
        await().until(() -> rig.transports.count("ping") == 1);

        rig.clock.advance(Duration.ofMillis(100));

        assertThat(session.isReady()).isFalse();
    }

    @Test
    void listingInFlightIsNotCutOff() throws Exception {
        Session session = TestSessions.sessionFor(rig.manager, ONE_SECOND);
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        rig.transports.on(
                "tools/list",
                (connection, params) -> {
                    arrived.countDown();
                    go.await();
                    return FakeTransports.json("{\"tools\": []}");
                });
        FutureTask<?> listing = SessionRig.start(() -> session.discoverTools(Definitions.LISTING));
        arrived.await();

        rig.clock.advance(Duration.ofSeconds(3));

        assertThat(session.isReady()).isTrue();
        go.countDown();
        listing.get();
    }

    @Test
    void zeroMeansNever() throws Exception {
        TestSessions.sessionFor(rig.manager, Definitions.server("github"));

        rig.clock.advance(Duration.ofDays(365));

        assertThat(rig.clock.delays()).isEmpty();
        assertThat(rig.transports.open()).hasSize(1);
    }

    @Test
    void endedSessionLeavesNoAlarm() throws Exception {
        TestSessions.sessionFor(rig.manager, ONE_SECOND);

        rig.transports.latest().die("exited");

        await().untilAsserted(() -> assertThat(rig.clock.delays()).isEmpty());
    }
}
