package dev.orloj.controllers.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.controllers.sandbox.HeldContainers.State;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.workload.WorkloadException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

@Timeout(30)
@DisplayName("Containers of Sandboxes that are always on")
class HeldContainersTest {

    private static final ResourceKey KEY = new ResourceKey("default", "box");

    private final ManualClock clock = new ManualClock();
    private final List<ResourceKey> enqueued = new CopyOnWriteArrayList<>();
    private final List<FakeContainer> started = new CopyOnWriteArrayList<>();
    private final CountDownLatch engine = new CountDownLatch(1);
    private final HeldContainers held = new HeldContainers(this::start, clock, enqueued::add);
    private final ExecTarget.Managed box = Containers.target("uv:1");

    private volatile boolean refuses = false;
    private volatile boolean obeysInterrupts = true;

    private static final class FakeContainer implements HeldContainers.Started {

        private volatile boolean ended = false;
        private volatile boolean closed = false;

        @Override
        public boolean hasEnded() {
            return ended;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private FakeContainer start(ExecTarget.Managed of) throws InterruptedException {
        boolean interrupted = awaitEngine();
        if (interrupted && obeysInterrupts) {
            throw new InterruptedException();
        }
        if (refuses) {
            throw new WorkloadException("no such image");
        }
        FakeContainer container = new FakeContainer();
        started.add(container);
        return container;
    }

    /**
     * Returns whether the thread was interrupted meanwhile, which the engine sees only afterwards.
     */
    private boolean awaitEngine() {
        boolean interrupted = false;
        while (true) {
            try {
                engine.await();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    private void awaitEnd(int starts) {
        await().until(() -> enqueued.size() >= starts);
    }

    @Test
    void startsWithoutWaitingForTheEngine() {
        assertThat(held.hold(KEY, box)).isEqualTo(new State.Starting(clock.instant()));
        assertThat(held.hold(KEY, box)).as("and once").isInstanceOf(State.Starting.class);
        assertThat(started).isEmpty();

        engine.countDown();
        awaitEnd(1);

        assertThat(enqueued).containsExactly(KEY);
        assertThat(held.hold(KEY, box)).isEqualTo(new State.Running());
        assertThat(started).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isReleasedWhileItStartsAndLeavesNothing(boolean startIsBrokenOff) {
        obeysInterrupts = startIsBrokenOff;
        held.hold(KEY, box);

        held.release(KEY);
        assertThat(held.isGone(KEY)).isFalse();
        engine.countDown();

        await().until(() -> held.isGone(KEY));
        assertThat(started)
                .hasSize(startIsBrokenOff ? 0 : 1)
                .allMatch(container -> container.closed);
    }

    @Test
    void oneThatDoesNotStartIsTriedAgainAfterAWaitThatGrows() {
        refuses = true;
        engine.countDown();
        Duration waited = Duration.ZERO;
        for (int attempt = 1; attempt <= 12; attempt++) {
            held.hold(KEY, box);
            awaitEnd(attempt);
            State.Failed failed = (State.Failed) held.hold(KEY, box);
            assertThat(failed.cause()).isEqualTo("no such image");
            assertThat(failed.left()).isGreaterThanOrEqualTo(waited);
            waited = failed.left();
            clock.advance(waited);
        }
        assertThat(waited).hasMinutes(5);
    }

    @Test
    void oneThatEndsSoonIsStartedAgainAfterAWait() {
        engine.countDown();
        held.hold(KEY, box);
        awaitEnd(1);

        started.getFirst().ended = true;

        assertThat(held.hold(KEY, box)).isEqualTo(new State.Ended(Duration.ofSeconds(1)));
        clock.advance(Duration.ofSeconds(1));
        assertThat(held.hold(KEY, box)).isInstanceOf(State.Starting.class);
    }

    @Test
    void oneOfAnotherImageTakesItsPlaceWhenItRuns() {
        engine.countDown();
        held.hold(KEY, box);
        awaitEnd(1);

        ExecTarget.Managed changed = Containers.target("uv:2");
        assertThat(held.hold(KEY, changed)).isInstanceOf(State.Starting.class);
        await().until(() -> started.size() == 2 && started.getFirst().closed);

        await().until(() -> held.hold(KEY, changed).equals(new State.Running()));
        assertThat(started.getLast().closed).isFalse();
    }
}
