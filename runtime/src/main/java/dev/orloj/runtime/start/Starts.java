package dev.orloj.runtime.start;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.process.ProcessActivity;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Limits the concurrent starts of processes across all servers. A start counts while it keeps a
 * processor busy: until the server has responded or is idle, for example because it downloads or
 * never responds, and at most for a few seconds. Thread-safe.
 */
public final class Starts {

    /** Interval at which the activity of a process is checked. */
    private static final Duration CHECK = Duration.ofMillis(15);

    /** Consecutive checks without activity after which a start no longer counts. */
    private static final int IDLE_CHECKS = 3;

    /** The same for a start without a process, or without one on this host. */
    private static final int CHECKS_WITHOUT_PROCESS = 16;

    /**
     * Maximum number of checks of a process that is always busy: the operating system schedules it
     * after that.
     */
    private static final int MAX_CHECKS = 200;

    private static final int PLACES_PER_PROCESSOR = 2;
    private static final int FEWEST_PLACES = 4;

    /** The activity of a process. */
    @FunctionalInterface
    public interface Activity {

        /**
         * Returns a number that grows when the process or a descendant uses a processor; empty if
         * unknown.
         */
        OptionalLong of(long pid);
    }

    /** A start, until it is closed. */
    public final class Start implements AutoCloseable {

        private final AtomicBoolean counts = new AtomicBoolean(true);
        private final CountDownLatch ended = new CountDownLatch(1);

        private Start() {}

        private void giveBack() {
            if (counts.compareAndSet(true, false)) {
                queue.giveBack();
                ended.countDown();
            }
        }

        /** Ends the start: the server has responded, or will not respond. */
        @Override
        public void close() {
            giveBack();
        }
    }

    private final StartQueue queue;
    private final Activity activity;

    /**
     * @param places maximum number of concurrent starts
     */
    public Starts(int places, Activity activity) {
        this.queue = new StartQueue(places);
        this.activity = activity;
    }

    /** Returns a limit that matches the processors of this machine. */
    public static Starts ofThisMachine() {
        int processors = Runtime.getRuntime().availableProcessors();
        return new Starts(
                Math.max(FEWEST_PLACES, PLACES_PER_PROCESSOR * processors), ProcessActivity::ticks);
    }

    /**
     * Waits until a server may be started.
     *
     * @param retry whether the last start of the server failed
     * @param pid pid of its process, as soon as there is one on this host
     */
    public Start begin(ResourceKey server, boolean retry, Supplier<Optional<Long>> pid)
            throws InterruptedException {
        queue.take(server, retry);
        Start start = new Start();
        Thread.ofVirtual().name("start-" + server).start(() -> follow(start, pid));
        return start;
    }

    /** Uses real time instead of the clock, because processors do so too. */
    private void follow(Start start, Supplier<Optional<Long>> pid) {
        try {
            OptionalLong done = OptionalLong.empty();
            int idle = 0;
            for (int checks = 0; start.counts.get() && checks < MAX_CHECKS; checks++) {
                start.ended.await(CHECK.toMillis(), TimeUnit.MILLISECONDS);
                Optional<Long> process = pid.get();
                OptionalLong now =
                        process.isPresent() ? activity.of(process.get()) : OptionalLong.empty();
                idle = now.equals(done) ? idle + 1 : 0;
                done = now;
                if (idle >= (now.isPresent() ? IDLE_CHECKS : CHECKS_WITHOUT_PROCESS)) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            start.giveBack();
        }
    }
}
