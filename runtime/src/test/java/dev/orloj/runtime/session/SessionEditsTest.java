package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.SessionPolicy;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.TransportException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;
import java.util.Optional;

/** What becomes of an open session when its server is edited. */
@Timeout(30)
class SessionEditsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final ServerDefinition SERVER = Definitions.server("github");
    private static final ServerDefinition EDITED = Definitions.edited(SERVER, 2);
    private static final ResourceKey KEY = SERVER.server();

    @RegisterExtension private final SessionRig rig = new SessionRig();

    @Test
    void editedServerKeepsItsSession() throws Exception {
        Session session = TestSessions.sessionFor(rig.manager, SERVER);

        assertThat(TestSessions.sessionFor(rig.manager, EDITED)).isSameAs(session);
        assertThat(TestSessions.sessionFor(rig.manager, SERVER))
                .as("stale caller")
                .isSameAs(session);

        assertThat(session.key().generation()).isEqualTo(2);
        assertThat(rig.transports.made()).hasSize(1);
    }

    @Test
    void newIdleTimeoutCountsFromTheLastCall() throws Exception {
        rig.call(SERVER);
        rig.clock.advance(MINUTE);

        rig.manager.follow(Definitions.withIdleTimeout(EDITED, MINUTE.multipliedBy(2)));
        rig.clock.advance(MINUTE.minusSeconds(1));
        assertThat(rig.transports.open()).hasSize(1);
        rig.clock.advance(Duration.ofSeconds(1));

        await().until(() -> rig.transports.open().isEmpty());
    }

    @Test
    void withdrawnIdleTimeoutKeepsTheSessionOpen() throws Exception {
        rig.call(Definitions.withIdleTimeout(SERVER, MINUTE));

        rig.manager.follow(EDITED);
        rig.clock.advance(MINUTE.multipliedBy(3));

        assertThat(rig.manager.liveSession(KEY)).isPresent();
    }

    @Test
    void newLimitOfCallsCountsTheCallsBefore() throws Exception {
        for (int i = 0; i < 5; i++) {
            rig.call(SERVER);
        }

        ServerDefinition three =
                Definitions.withPolicy(
                        EDITED,
                        new SessionPolicy(Optional.empty(), Duration.ZERO, 3, Optional.empty()));
        rig.manager.follow(three);
        rig.call(three);

        await().until(() -> rig.transports.made().size() == 2);
    }

    @Test
    void newLifetimeCountsFromTheOpening() throws Exception {
        rig.call(SERVER);
        rig.clock.advance(MINUTE);

        rig.manager.follow(
                Definitions.withPolicy(
                        EDITED,
                        new SessionPolicy(
                                Optional.empty(), MINUTE.multipliedBy(2), 0, Optional.empty())));
        assertThat(rig.transports.made()).hasSize(1);
        rig.clock.advance(MINUTE);

        await().until(() -> rig.transports.made().size() == 2);
    }

    @Test
    void newHealthProbeAsks() throws Exception {
        TestSessions.sessionFor(rig.manager, SERVER);
        SessionPolicy.HealthProbe probe =
                new SessionPolicy.HealthProbe(MINUTE, Duration.ofSeconds(1), 3);

        rig.manager.follow(
                Definitions.withPolicy(
                        EDITED,
                        new SessionPolicy(Optional.of(probe), Duration.ZERO, 0, Optional.empty())));
        rig.clock.advance(MINUTE);

        await().until(() -> rig.transports.count("ping") == 1);
    }

    @Test
    void otherConnectionIsOpenedWithoutACall() throws Exception {
        Session before = TestSessions.sessionFor(rig.manager, SERVER);

        rig.manager.follow(Definitions.generation(SERVER, 2));

        await().untilAsserted(() -> assertThat(before.state().label()).isEqualTo("Closed"));
        assertThat(rig.manager.liveSession(KEY).orElseThrow().key().generation()).isEqualTo(2);
    }

    @Test
    void sleepingServerIsNotWoken() throws Exception {
        ServerDefinition onDemand = Definitions.withIdleTimeout(SERVER, MINUTE);
        rig.call(onDemand);
        rig.clock.advance(MINUTE);
        await().until(() -> rig.manager.sessions(KEY).isEmpty());

        rig.manager.follow(Definitions.generation(onDemand, 2));

        assertThat(rig.manager.sessions(KEY)).isEmpty();
        assertThat(rig.transports.made()).hasSize(1);
    }

    @Test
    void changeThatDidNotWorkIsTriedAgainUnasked() throws Exception {
        Session before = TestSessions.sessionFor(rig.manager, SERVER);
        rig.transports.on(
                "initialize",
                (connection, params) -> {
                    throw new TransportException("exited with code 1", true);
                });
        rig.manager.follow(Definitions.generation(SERVER, 2));
        await().until(() -> !rig.clock.delays().isEmpty());
        assertThat(rig.manager.sessions(KEY)).hasSize(1);
        assertThat(rig.manager.liveSession(KEY)).containsSame(before);

        rig.transports.on(
                "initialize", (connection, params) -> FakeTransports.initializeResult(params));

        await().untilAsserted(
                        () -> {
                            rig.clock.advance(MINUTE);
                            assertThat(rig.manager.liveSession(KEY).orElseThrow())
                                    .isNotSameAs(before);
                        });
    }
}
