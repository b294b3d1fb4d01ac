package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.limit.ProcessLimits;
import dev.orloj.runtime.start.Starts;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Many servers that are applied at once. */
@Timeout(30)
@DisplayName("H-01")
class ManyStartsTest {

    private static final int SERVERS = 50;
    private static final int PLACES = 3;

    private final AtomicLong work = new AtomicLong();
    private volatile boolean busy = true;

    @RegisterExtension
    private final SessionRig rig =
            new SessionRig(
                    ProcessLimits.NONE,
                    () -> 0L,
                    new Starts(
                            PLACES,
                            pid -> OptionalLong.of(busy ? work.incrementAndGet() : work.get())));

    private void startAll() {
        for (int server = 0; server < SERVERS; server++) {
            rig.manager.start(Definitions.server("server-" + server), Optional.empty());
        }
    }

    @Test
    void fewAreBusyWithTheirStartAtATime() {
        AtomicInteger starting = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Semaphore answers = new Semaphore(0);
        rig.transports.on(
                "initialize",
                (connection, params) -> {
                    most.accumulateAndGet(starting.incrementAndGet(), Math::max);
                    answers.acquire();
                    starting.decrementAndGet();
                    return FakeTransports.initializeResult(params);
                });

        startAll();
        await().until(() -> starting.get() == PLACES);
        for (int server = 0; server < SERVERS; server++) {
            answers.release();
        }

        await().until(() -> rig.transports.open().size() == SERVERS);
        await().until(() -> starting.get() == 0);
        assertThat(most).hasValueLessThanOrEqualTo(PLACES);
    }

    @Test
    void silentOnesDoNotHoldUpTheRest() {
        busy = false;
        Semaphore answers = new Semaphore(0);
        rig.transports.on(
                "initialize",
                (connection, params) -> {
                    answers.acquire();
                    return FakeTransports.initializeResult(params);
                });

        startAll();

        await().until(() -> rig.transports.open().size() == SERVERS);
        answers.release(SERVERS);
    }
}
