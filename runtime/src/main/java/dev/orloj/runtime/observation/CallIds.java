package dev.orloj.runtime.observation;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Generates ascending ids for the calls of one replica. Thread-safe. */
public final class CallIds {

    private final String replica;
    private final AtomicLong last;

    /**
     * @param replica unique among all replicas
     * @param start start time of this replica; ids of later starts are greater, as long as there
     *     were less than a million calls per second
     */
    public CallIds(String replica, Instant start) {
        this.replica = replica;
        this.last = new AtomicLong(ChronoUnit.MICROS.between(Instant.EPOCH, start));
    }

    public String replica() {
        return replica;
    }

    public CallId next() {
        return CallId.of(replica, last.incrementAndGet());
    }
}
