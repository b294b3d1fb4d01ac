package dev.orloj.runtime.session;

import dev.orloj.runtime.transport.RequestDeadline;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The calls of one session whose progress is of interest, by the token that the server repeats with
 * each {@code notifications/progress}. Thread-safe.
 */
final class ProgressWatch {

    private final AtomicLong lastToken = new AtomicLong();
    private final ConcurrentMap<Long, RequestDeadline> deadlines = new ConcurrentHashMap<>();

    /** A call that is watched until it is closed. */
    record Watched(long token, ProgressWatch watch) implements AutoCloseable {

        @Override
        public void close() {
            watch.deadlines.remove(token);
        }
    }

    Watched watch(RequestDeadline deadline) {
        long token = lastToken.incrementAndGet();
        deadlines.put(token, deadline);
        return new Watched(token, this);
    }

    /** What belongs to no call, or to one that has ended, is nobody's. */
    void heard(@Nullable JsonNode params) {
        JsonNode token = params == null ? null : params.get("progressToken");
        if (token == null || !token.isIntegralNumber() || !token.canConvertToLong()) {
            return;
        }
        RequestDeadline deadline = deadlines.get(token.longValue());
        if (deadline != null) {
            deadline.progressed();
        }
    }
}
