package dev.orloj.controllers.events;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits the rate of events about one resource: a burst passes at once, then one event now and
 * then. Remembers the resources of the latest events. Thread-safe.
 */
final class EventBurst {

    private static final int BURST = 25;
    private static final Duration REFILL = Duration.ofMinutes(5);
    private static final int MAX_RESOURCES = 4_096;

    /** How many events may still pass, as of a time. */
    private record Allowance(double left, Instant at) {

        Allowance refilled(Instant now) {
            double more = (double) Duration.between(at, now).toMillis() / REFILL.toMillis();
            return new Allowance(Math.min(BURST, left + Math.max(0, more)), now);
        }
    }

    @GuardedBy("this")
    private final Map<String, Allowance> allowances =
            new LinkedHashMap<>(16, 0.75f, true) {

                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Allowance> eldest) {
                    return size() > MAX_RESOURCES;
                }
            };

    /** Returns whether one more event about the resource of that uid may pass. If so, counts it. */
    synchronized boolean allows(String uid, Instant now) {
        Allowance known = allowances.get(uid);
        Allowance allowance = known == null ? new Allowance(BURST, now) : known.refilled(now);
        boolean allowed = allowance.left() >= 1;
        allowances.put(uid, allowed ? new Allowance(allowance.left() - 1, now) : allowance);
        return allowed;
    }
}
