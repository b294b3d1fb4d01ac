package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.code.CodeGate;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.start.Starts;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.testkit.ManualScheduler;
import dev.orloj.runtime.testkit.RecordedSessions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A changed definition cancels the opening before it. If that has just opened its session, the
 * session serves calls until the next one is open, and its calls in flight are not cut off.
 */
@Timeout(60)
class LateCancellationTest {

    private static final ServerDefinition FIRST = Definitions.server("github");
    private static final ServerDefinition SECOND = Definitions.generation(FIRST, 2);

    /** Holds one thread where it reads the clock: at the start of an opening, inside its lock. */
    private static final class HoldingClock implements Scheduler {

        private final ManualScheduler clock = new ManualScheduler();
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch go = new CountDownLatch(1);
        private volatile String held = "";

        @Override
        public Instant instant() {
            if (Thread.currentThread().getName().equals(held)) {
                reached.countDown();
                hold(go);
            }
            return clock.instant();
        }

        @Override
        public Task schedule(Duration delay, Runnable task) {
            return clock.schedule(delay, task);
        }
    }

    private final HoldingClock clock = new HoldingClock();
    private final FakeTransports transports = new FakeTransports();
    private final CountDownLatch negotiate = new CountDownLatch(1);
    private final CountDownLatch negotiateSecond = new CountDownLatch(1);
    private final AtomicReference<Thread> supervisor = new AtomicReference<>();
    private final SessionManager manager =
            new SessionManager(
                    transports,
                    new RecordedSessions(),
                    clock,
                    () -> 0L,
                    SessionSettings.withVersion("1.2.3"),
                    CodeGate.OPEN,
                    Starts.ofThisMachine());

    @AfterEach
    void stop() {
        clock.go.countDown();
        negotiate.countDown();
        negotiateSecond.countDown();
        manager.close();
    }

    @Test
    void sessionThatOpenedInThatMomentServesCalls() throws Exception {
        transports.observeRequests(_ -> supervisor.compareAndSet(null, Thread.currentThread()));
        transports.on(
                "initialize",
                (connection, params) -> {
                    boolean isFirst = connection == transports.made().getFirst();
                    (isFirst ? negotiate : negotiateSecond).await();
                    return FakeTransports.initializeResult(params);
                });
        manager.start(FIRST, Optional.empty());
        await().until(() -> supervisor.get() != null);
        clock.held = "changes the server";
        Thread change =
                Thread.ofPlatform()
                        .name(clock.held)
                        .start(() -> manager.start(SECOND, Optional.empty()));
        clock.reached.await();

        negotiate.countDown();
        await().until(() -> supervisorIsIn("adopt"));
        clock.go.countDown();
        change.join();
        await().until(() -> supervisorIsIn("awaitEnding") || !supervisor.get().isAlive());

        assertThat(supervisor.get().isAlive()).isTrue();
        assertThat(manager.liveSession(FIRST.server()))
                .hasValueSatisfying(session -> assertThat(session.key()).isEqualTo(FIRST.key()));
    }

    private boolean supervisorIsIn(String method) {
        return Arrays.stream(supervisor.get().getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals(method));
    }

    private static void hold(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
