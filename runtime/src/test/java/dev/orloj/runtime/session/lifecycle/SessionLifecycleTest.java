package dev.orloj.runtime.session.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.testkit.ManualScheduler;
import dev.orloj.runtime.workload.SecretValues;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

class SessionLifecycleTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final ManualScheduler clock = new ManualScheduler();
    private final SessionLifecycle life =
            new SessionLifecycle("default/github#3", clock, SecretValues.of(List.of("hush")));

    @Test
    void connectingBecomesReadyAndOpensTheGate() {
        assertThat(life.latch().enter()).isFalse();

        life.ready(ServerIdentity.UNKNOWN);

        assertThat(life.isReady()).isTrue();
        assertThat(life.latch().enter()).isTrue();
    }

    @Test
    void readyDrainsUntilDeadline() {
        life.ready(ServerIdentity.UNKNOWN);

        life.drain("replaced", LONG);

        assertThat(life.state())
                .isEqualTo(new SessionState.Draining("replaced", clock.instant().plus(LONG)));
        assertThat(life.latch().enter()).isFalse();
    }

    @Test
    void reasonOfAFailureHasNoSecret() {
        life.fail(new IllegalStateException("no access with hush"));

        assertThat(life.state()).isEqualTo(new SessionState.Failed("no access with ***"));
    }

    @Test
    void drainTwiceIsOneTransition() {
        life.ready(ServerIdentity.UNKNOWN);
        life.drain("first", LONG);
        SessionState draining = life.state();

        life.drain("second", Duration.ofSeconds(1));

        assertThat(life.state()).isSameAs(draining);
    }

    @Test
    void aShorterDrainEndsTheWaitSooner() throws InterruptedException {
        life.ready(ServerIdentity.UNKNOWN);
        assertThat(life.latch().enter()).isTrue();
        life.drain("replaced", LONG);
        life.drain("stop", Duration.ofSeconds(1));

        clock.advance(Duration.ofSeconds(1));

        life.latch().awaitEmpty();
        assertThat(life.latch().inside()).isEqualTo(1);
    }

    @Test
    void drainedSessionClosesWithItsReason() {
        life.ready(ServerIdentity.UNKNOWN);
        life.drain("replaced", LONG);

        assertThat(life.close()).isEqualTo(new SessionState.Closed("replaced", false));
    }

    @Test
    void failedSessionClosesAsFailure() {
        life.ready(ServerIdentity.UNKNOWN);
        life.fail(new IllegalStateException("process exited with code 3"));

        assertThat(life.close())
                .isEqualTo(new SessionState.Closed("process exited with code 3", true));
    }

    @Test
    void deathWhileConnectingIsNotUndoneByTheAnswer() {
        life.fail(new IllegalStateException("gone"));

        life.ready(ServerIdentity.UNKNOWN);

        assertThat(life.state()).isEqualTo(new SessionState.Failed("gone"));
        assertThat(life.latch().enter()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "Connecting, drain",
        "Connecting, close",
        "Ready, make ready",
        "Ready, close",
        "Draining, make ready",
        "Closed, make ready",
    })
    void illegalTransitionsNameSubjectOperationAndState(String state, String operation) {
        reach(state);

        assertThatThrownBy(() -> operation(operation).accept(life))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "Cannot " + operation + " session \"default/github#3\" in state " + state);
        assertThat(life.state().label()).isEqualTo(state);
    }

    @ParameterizedTest
    @CsvSource({
        "Draining, drain",
        "Failed, make ready",
        "Failed, drain",
        "Failed, fail",
        "Closed, drain",
        "Closed, fail",
        "Closed, close",
    })
    void whatIsOverStaysAsItIs(String state, String operation) {
        reach(state);
        SessionState before = life.state();

        operation(operation).accept(life);

        assertThat(life.state()).isSameAs(before);
    }

    @RepeatedTest(50)
    void noCallGetsInAfterDrainAndDrainWaitsForThoseInside() throws InterruptedException {
        life.ready(ServerIdentity.UNKNOWN);
        AtomicInteger inside = new AtomicInteger();
        CountDownLatch running = new CountDownLatch(4);
        List<Thread> callers =
                IntStream.range(0, 4)
                        .mapToObj(
                                i ->
                                        Thread.ofPlatform()
                                                .start(
                                                        () -> {
                                                            running.countDown();
                                                            while (life.latch().enter()) {
                                                                inside.incrementAndGet();
                                                                Thread.yield();
                                                                inside.decrementAndGet();
                                                                life.latch().leave();
                                                            }
                                                        }))
                        .toList();
        running.await();

        life.drain("replaced", LONG);
        life.latch().awaitEmpty();

        assertThat(inside).hasValue(0);
        assertThat(life.latch().inside()).isZero();
        for (Thread caller : callers) {
            caller.join();
        }
    }

    private void reach(String state) {
        List<String> path =
                switch (state) {
                    case "Connecting" -> List.of();
                    case "Ready" -> List.of("make ready");
                    case "Draining" -> List.of("make ready", "drain");
                    case "Failed" -> List.of("fail");
                    case "Closed" -> List.of("fail", "close");
                    default -> throw new IllegalArgumentException(state);
                };
        path.forEach(step -> operation(step).accept(life));
        assertThat(life.state().label()).isEqualTo(state);
    }

    private static Consumer<SessionLifecycle> operation(String name) {
        return switch (name) {
            case "make ready" -> life -> life.ready(ServerIdentity.UNKNOWN);
            case "drain" -> life -> life.drain("test", LONG);
            case "fail" -> life -> life.fail(new IllegalStateException("test"));
            case "close" -> SessionLifecycle::close;
            default -> throw new IllegalArgumentException(name);
        };
    }
}
