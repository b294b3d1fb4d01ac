package dev.orloj.benchmarks.load;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A fixed number of callers, each of which sends its next operation when the answer to the one
 * before is there. The load follows the speed of what is measured: latencies say how long a caller
 * waits at that concurrency, not what a stream of independent clients would see.
 */
public final class ClosedLoop {

    /** How long the callers may take to end after the slice, before their connections are cut. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final List<Operation> operations = new ArrayList<>();

    private ClosedLoop() {}

    /**
     * Runs one slice: all callers start, {@code warmUp} passes unrecorded, then {@code measured} is
     * recorded.
     */
    public static LoadResult run(
            int callers, Operation.Factory factory, Duration warmUp, Duration measured)
            throws Exception {
        ClosedLoop loop = new ClosedLoop();
        try {
            for (int i = 0; i < callers; i++) {
                loop.operations.add(factory.create());
            }
            return loop.drive(warmUp, measured);
        } finally {
            loop.operations.forEach(Operation::close);
        }
    }

    private LoadResult drive(Duration warmUp, Duration measured) throws InterruptedException {
        long from = System.nanoTime() + warmUp.toNanos();
        long until = from + measured.toNanos();
        List<Caller> callers =
                operations.stream().map(operation -> new Caller(operation, from, until)).toList();
        List<Thread> threads =
                callers.stream()
                        .map(caller -> Thread.ofPlatform().daemon().name("caller").start(caller))
                        .toList();
        long giveUp = until + TIMEOUT.toNanos();
        for (Thread thread : threads) {
            thread.join(Duration.ofNanos(Math.max(1, giveUp - System.nanoTime())));
        }
        operations.forEach(Operation::close);
        for (Thread thread : threads) {
            thread.join();
        }
        return sum(callers, measured);
    }

    private static LoadResult sum(List<Caller> callers, Duration measured) {
        Histogram latencies = new Histogram();
        long errors = 0;
        Optional<String> firstError = Optional.empty();
        for (Caller caller : callers) {
            latencies.add(caller.latencies);
            errors += caller.errors;
            firstError = firstError.or(() -> Optional.ofNullable(caller.firstError));
        }
        return new LoadResult(latencies, errors, firstError, measured);
    }

    /** Its fields are read after its thread was joined. */
    private static final class Caller implements Runnable {

        private final Operation operation;
        private final long from;
        private final long until;
        private final Histogram latencies = new Histogram();
        private long errors;
        private @Nullable String firstError;

        Caller(Operation operation, long from, long until) {
            this.operation = operation;
            this.from = from;
            this.until = until;
        }

        @Override
        public void run() {
            long begun = System.nanoTime();
            while (begun - until < 0) {
                boolean succeeded = attempt();
                long ended = System.nanoTime();
                if (begun - from >= 0 && ended - until <= 0) {
                    if (succeeded) {
                        latencies.record(ended - begun);
                    } else {
                        errors++;
                    }
                }
                begun = ended;
            }
        }

        /** The edge of the driver: whatever goes wrong with an operation is counted, not thrown. */
        private boolean attempt() {
            try {
                operation.perform();
                return true;
            } catch (Exception e) {
                if (firstError == null) {
                    firstError = e.toString();
                }
                return false;
            }
        }
    }
}
