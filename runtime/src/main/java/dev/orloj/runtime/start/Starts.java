package dev.orloj.runtime.start;

import dev.orloj.api.ResourceKey;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Starts of processes that may go on at the same time, over all servers. A start counts for as long
 * as it keeps a processor busy: until the server has answered, or does nothing, as one that
 * downloads or one that never answers, and at most for a few seconds. Thread-safe.
 */
public final class Starts {

    /** How often is looked whether a process is busy. */
    private static final Duration CHECK = Duration.ofMillis(25);

    /** So many looks in a row that find nothing done end a start. */
    private static final int IDLE_CHECKS = 4;

    /** Looks at one of which there is no process yet, or none on this host. */
    private static final int CHECKS_WITHOUT_PROCESS = 10;

    /** Looks at one that is always busy: it is left to the scheduler of the system. */
    private static final int MOST_CHECKS = 120;

    private static final int PLACES_PER_PROCESSOR = 2;
    private static final int FEWEST_PLACES = 4;

    /** What a process has done so far. */
    @FunctionalInterface
    public interface Activity {

        /** Grows when the process, or one that it has started, was at work; empty if unknown. */
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

        /** The server has answered, or will not any more. */
        @Override
        public void close() {
            giveBack();
        }
    }

    private final StartQueue queue;
    private final Activity activity;

    /**
     * @param places how many starts may go on
     */
    public Starts(int places, Activity activity) {
        this.queue = new StartQueue(places);
        this.activity = activity;
    }

    /** As many at a time as the processors of this machine bear. */
    public static Starts ofThisMachine() {
        int processors = Runtime.getRuntime().availableProcessors();
        return new Starts(
                Math.max(FEWEST_PLACES, PLACES_PER_PROCESSOR * processors), ProcessActivity::ticks);
    }

    /**
     * Waits until a server may be started.
     *
     * @param pid of its process, as soon as there is one on this host
     */
    public Start begin(ResourceKey server, Supplier<Optional<Long>> pid)
            throws InterruptedException {
        queue.take(server);
        Start start = new Start();
        Thread.ofVirtual().name("start-" + server).start(() -> follow(start, pid));
        return start;
    }

    /** In real time, whatever the clock: processors have no other. */
    private void follow(Start start, Supplier<Optional<Long>> pid) {
        try {
            OptionalLong done = OptionalLong.empty();
            int idle = 0;
            for (int checks = 0; start.counts.get() && checks < MOST_CHECKS; checks++) {
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
