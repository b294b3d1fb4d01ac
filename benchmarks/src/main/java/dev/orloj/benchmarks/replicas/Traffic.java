package dev.orloj.benchmarks.replicas;

import java.util.concurrent.atomic.LongAdder;

/** Counts what the connections of some replicas exchange with PostgreSQL. Thread-safe. */
final class Traffic {

    private final LongAdder requests = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();

    /**
     * What was counted up to a moment.
     *
     * @param requests times that a client sent something and waited for the answer
     */
    record Count(long requests, long bytesRead) {

        Count minus(Count earlier) {
            return new Count(requests - earlier.requests, bytesRead - earlier.bytesRead);
        }
    }

    void sent() {
        requests.increment();
    }

    void read(int bytes) {
        bytesRead.add(bytes);
    }

    Count count() {
        return new Count(requests.sum(), bytesRead.sum());
    }
}
