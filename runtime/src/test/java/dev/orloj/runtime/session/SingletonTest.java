package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.limit.Limit;
import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransport;
import dev.orloj.runtime.transport.TransportException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;

/** Servers that tolerate no second session, be it here or on another replica. */
@Timeout(30)
class SingletonTest {

    private static final Duration TENURE = Duration.ofSeconds(15);
    private static final ServerDefinition ONE =
            Definitions.asSingleton(Definitions.server("github"));
    private static final ServerDefinition NEXT = Definitions.generation(ONE, 2);
    private static final ResourceKey KEY = ONE.server();

    @RegisterExtension private final SessionRig rig = new SessionRig();

    private void own() {
        rig.manager.singletons().extend(TENURE);
    }

    private int open() {
        return rig.transports.open().size();
    }

    @Test
    void isNotOpenedByAReplicaThatDoesNotOwnIt() {
        rig.manager.singletons().ownedBy("host-b");

        assertThatThrownBy(() -> rig.call(ONE))
                .isInstanceOf(SessionOpenException.class)
                .hasMessageContaining("belongs to the replica \"host-b\"")
                .cause()
                .isInstanceOfSatisfying(
                        LimitReachedException.class,
                        refusal -> assertThat(refusal.limit()).isEqualTo(Limit.SINGLETON));

        assertThat(rig.transports.made()).isEmpty();
    }

    @Test
    void isClosedWhenItsTimeIsNotExtended() throws Exception {
        own();
        rig.call(ONE);
        rig.clock.advance(TENURE.minusSeconds(1));
        own();
        rig.clock.advance(TENURE.minusSeconds(1));
        assertThat(open()).isEqualTo(1);

        rig.clock.advance(Duration.ofSeconds(1));

        await().until(() -> open() == 0);
        assertThatThrownBy(() -> rig.call(ONE)).isInstanceOf(SessionOpenException.class);
        assertThat(rig.transports.made()).hasSize(1);
    }

    @Test
    void callInFlightDoesNotKeepItWhenItsTimeIsOver() throws Exception {
        own();
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> call = SessionRig.start(() -> rig.call(ONE));
        held.arrived.await();

        rig.clock.advance(TENURE);

        await().until(() -> open() == 0);
        assertThatThrownBy(call::get).isNotNull();
        held.go.countDown();
    }

    @Test
    void otherServersStayWhenItsTimeIsOver() throws Exception {
        own();
        rig.call(ONE);
        rig.call(Definitions.server("other"));

        rig.clock.advance(TENURE);

        await().until(() -> open() == 1 && rig.manager.sessions(KEY).isEmpty());
    }

    /** The old one is gone before the new one is even made. */
    @Test
    void changedOneBeginsWhenTheOneBeforeHasEnded() throws Exception {
        own();
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> call = SessionRig.start(() -> rig.call(ONE));
        held.arrived.await();
        rig.manager.follow(NEXT);
        FutureTask<JsonNode> next = SessionRig.start(() -> rig.call(NEXT));
        await().until(() -> rig.manager.liveSession(KEY).isEmpty());
        assertThat(rig.transports.made()).hasSize(1);

        held.go.countDown();

        assertThat(call.get().has("content")).isTrue();
        assertThat(next.get().has("content")).isTrue();
        assertThat(rig.transports.made()).hasSize(2);
        assertThat(open()).isEqualTo(1);
    }

    @Test
    void oneThatIsWantedAgainWaitsForTheOneThatWasRetired() throws Exception {
        own();
        SessionRig.Held held = rig.holdCalls();
        FutureTask<JsonNode> call = SessionRig.start(() -> rig.call(ONE));
        held.arrived.await();
        rig.manager.dismiss(KEY);
        FutureTask<JsonNode> next = SessionRig.start(() -> rig.call(ONE));
        await().until(() -> rig.manager.sessions(KEY).isEmpty());
        assertThat(rig.transports.made()).hasSize(1);

        held.go.countDown();

        assertThat(call.get().has("content")).isTrue();
        assertThat(next.get().has("content")).isTrue();
        assertThat(rig.transports.made()).hasSize(2);
        assertThat(open()).isEqualTo(1);
    }

    @Test
    void changedOneThatDoesNotOpenLeavesNoneAndTheNextCallTriesAgain() throws Exception {
        own();
        rig.call(ONE);
        rig.transports.on(
                "initialize",
                (connection, params) -> {
                    throw new TransportException("no such file", false);
                });

        assertThatThrownBy(() -> rig.call(NEXT)).isInstanceOf(SessionOpenException.class);

        assertThat(open()).isZero();
    }

    @Test
    void serverThatBecomesASingletonElsewhereIsClosedHere() throws Exception {
        rig.call(Definitions.server("github"));
        List<FakeTransport> before = rig.transports.open();
        assertThat(before).hasSize(1);

        rig.manager.follow(ONE);

        await().until(() -> open() == 0);
    }
}
