package dev.orloj.server.access.limits;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.server.properties.CallerLimitProperties;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Counts the requests of each user. Thread-safe. */
public final class CallerLimits {

    /** Users whose counts are kept; beyond that, those of idle ones are dropped. */
    static final int MAX_USERS = 10_000;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final int maxRequests;
    private final long maxBytes;
    private final long nanosPerRequest;
    private final LongSupplier nanoTime;
    private final ConcurrentMap<String, Caller> callers = new ConcurrentHashMap<>();

    CallerLimits(CallerLimitProperties limits, LongSupplier nanoTime) {
        this.maxRequests = limits.maxRequests();
        this.maxBytes = limits.maxBytes().bytes();
        this.nanosPerRequest = SECOND / limits.maxRequestsPerSecond();
        this.nanoTime = nanoTime;
    }

    /** The limit that a request exceeds. */
    enum Limit {
        REQUESTS,
        RATE,
        BYTES
    }

    /** The counts of one user. */
    private final class Caller {

        @GuardedBy("this")
        private int requests;

        @GuardedBy("this")
        private long bytes;

        /** When all requests so far would be paid for at the average rate. */
        @GuardedBy("this")
        private long paidAt = nanoTime.getAsLong();

        @GuardedBy("this")
        private boolean dropped;

        /** Returns whether the counts are no longer those of the user. */
        synchronized boolean isDropped() {
            return dropped;
        }

        synchronized Optional<Limit> enter(long size) {
            long now = nanoTime.getAsLong();
            long from = Math.max(paidAt, now);
            if (requests >= maxRequests) {
                return Optional.of(Limit.REQUESTS);
            }
            if (from - now > 2 * SECOND) {
                return Optional.of(Limit.RATE);
            }
            if (requests > 0 && bytes + size > maxBytes) {
                return Optional.of(Limit.BYTES);
            }
            paidAt = from + nanosPerRequest;
            requests++;
            bytes += size;
            return Optional.empty();
        }

        synchronized void leave(long size) {
            requests--;
            bytes -= size;
        }

        synchronized boolean drop() {
            dropped = requests == 0 && paidAt <= nanoTime.getAsLong();
            return dropped;
        }
    }

    /** One admitted request; closing it makes room for another. */
    public final class Admission implements AutoCloseable {

        private final Caller caller;
        private final long size;

        private Admission(Caller caller, long size) {
            this.caller = caller;
            this.size = size;
        }

        @Override
        public void close() {
            caller.leave(size);
        }
    }

    /**
     * Admits a request.
     *
     * @param size of its body, as far as it is known
     * @throws LimitExceededException when the user has too many
     */
    Admission enter(String user, long size) throws LimitExceededException {
        if (callers.size() >= MAX_USERS && !callers.containsKey(user)) {
            callers.values().removeIf(Caller::drop);
        }
        while (true) {
            Caller caller = callers.computeIfAbsent(user, _ -> new Caller());
            Optional<Limit> exceeded = caller.enter(size);
            if (exceeded.isPresent()) {
                throw new LimitExceededException(exceeded.get());
            }
            if (!caller.isDropped()) {
                return new Admission(caller, size);
            }
        }
    }

    /** The user has too many requests. */
    static final class LimitExceededException extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient Limit limit;

        LimitExceededException(Limit limit) {
            super("too many: " + limit);
            this.limit = limit;
        }

        Limit limit() {
            return limit;
        }
    }

    int users() {
        return callers.size();
    }
}
