package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.client.SessionPolicy;
import dev.orloj.runtime.client.SessionPolicy.HealthProbe;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.transport.RequestTimeoutException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.FutureTask;

/** Servers that are pinged, and those that do not answer. */
@Timeout(30)
class SessionHealthTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final ServerDefinition PINGED =
            Definitions.withPolicy(
                    Definitions.server("github"),
                    new SessionPolicy(
                            Optional.of(new HealthProbe(MINUTE, TIMEOUT, 3)),
                            Duration.ZERO,
                            0,
                            Optional.empty()));

    @RegisterExtension private final SessionRig rig = new SessionRig();

    @Test
    void serverThatAnswersIsPingedInEachPeriodAndStays() throws Exception {
        rig.call(PINGED);

        ping(10);

        assertThat(rig.transports.latest().timeouts()).contains(TIMEOUT);
        assertThat(rig.transports.open()).hasSize(1);
    }

    @Test
    void errorIsAnAnswer() throws Exception {
        rig.call(PINGED);
        rig.transports.on(
                "ping",
                (connection, params) -> {
                    throw new JsonRpcException(SessionRig.error(-32601));
                });

        ping(5);

        assertThat(rig.transports.open()).hasSize(1);
    }

    @Test
    void silentServerFailsWithTheCauseAfterSoManyPings() throws Exception {
        rig.call(PINGED);
        beSilent();

        ping(2);
        assertThat(rig.manager.liveSession(PINGED.server())).isPresent();
        ping(1);

        await().untilAsserted(
                        () ->
                                assertThat(rig.listener.events())
                                        .endsWith(
                                                "failed default/github#1: Health probe failed 3"
                                                        + " times in a row: No answer to \"ping\""
                                                        + " within 10000 ms"));
        assertThat(rig.transports.open()).isEmpty();
        assertThat(rig.call(PINGED).has("content")).isTrue();
    }

    @Test
    void answerInBetweenBeginsTheCountAnew() throws Exception {
        rig.call(PINGED);
        for (int i = 0; i < 3; i++) {
            beSilent();
            ping(2);
            rig.transports.on("ping", (connection, params) -> null);
            ping(1);
        }

        assertThat(rig.transports.open()).hasSize(1);
    }

    @Test
    void busyServerMayAnswerLate() throws Exception {
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> running = SessionRig.start(() -> rig.call(PINGED));
        held.arrived.await();
        beSilent();

        ping(10);

        assertThat(rig.manager.liveSession(PINGED.server())).isPresent();
        held.go.countDown();
        assertThat(running.get().has("content")).isTrue();
    }

    @Test
    void busyServerThatLeftACallUnansweredIsSuspect() throws Exception {
        rig.transports.on(
                "tools/call",
                (connection, params) -> {
                    throw new RequestTimeoutException("tools/call", TIMEOUT);
                });
        assertThat(SessionRig.start(() -> rig.call(PINGED)))
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .withCauseInstanceOf(RequestTimeoutException.class);
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> running = SessionRig.start(() -> rig.call(PINGED));
        held.arrived.await();
        beSilent();

        ping(3);

        await().until(() -> rig.manager.liveSession(PINGED.server()).isEmpty());
        await().until(running::isDone);
        held.go.countDown();
    }

    @Test
    void pingsAreNoUseThatKeepsASessionAwake() throws Exception {
        ServerDefinition sleepy = Definitions.withIdleTimeout(PINGED, Duration.ofMinutes(3));
        rig.call(sleepy);

        ping(2);
        rig.clock.advance(MINUTE);

        await().untilAsserted(() -> assertThat(rig.transports.open()).isEmpty());
    }

    private void beSilent() {
        rig.transports.on(
                "ping",
                (connection, params) -> {
                    throw new RequestTimeoutException("ping", TIMEOUT);
                });
    }

    /** Goes on by so many periods, each of them when the ping of the one before is over. */
    private void ping(int times) {
        for (int i = 0; i < times; i++) {
            long before = rig.transports.count("ping");
            await().until(() -> rig.clock.delays().contains(MINUTE) || dead());
            rig.clock.advance(MINUTE);
            await().until(() -> rig.transports.count("ping") == before + 1);
        }
        await().until(() -> rig.clock.delays().contains(MINUTE) || dead());
    }

    private boolean dead() {
        return rig.manager.liveSession(PINGED.server()).isEmpty();
    }
}
