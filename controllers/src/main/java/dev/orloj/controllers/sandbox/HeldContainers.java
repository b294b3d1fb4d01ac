package dev.orloj.controllers.sandbox;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.container.SharedContainers;
import dev.orloj.runtime.container.spec.ContainerSpec;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Keeps the containers of those Sandboxes running that are always on. Calls for one Sandbox come
 * one after the other, those for several side by side.
 */
final class HeldContainers {

    /** One that ran so long has not failed to start. */
    private static final Duration SETTLED = Duration.ofMinutes(1);

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    private static final int MOST_DOUBLINGS = 9;

    /**
     * @param spec of the container
     * @param deaths in a row, each soon after the start
     */
    private record Held(
            ContainerSpec spec,
            SharedContainers.@Nullable Lease lease,
            Instant since,
            int deaths) {}

    private final SharedContainers shared;
    private final InstantSource clock;
    private final ConcurrentMap<ResourceKey, Held> held = new ConcurrentHashMap<>();

    HeldContainers(SharedContainers shared, InstantSource clock) {
        this.shared = shared;
        this.clock = clock;
    }

    /**
     * Sees to it that the container runs.
     *
     * @return how long it may not be started again, because it keeps ending; empty when it runs
     */
    Optional<Duration> hold(ResourceKey key, ContainerSpec spec) throws InterruptedException {
        Held known = held.get(key);
        int deaths = 0;
        if (known != null && known.spec().equals(spec)) {
            SharedContainers.Lease lease = known.lease();
            if (lease != null && !lease.container().exit().isDone()) {
                return Optional.empty();
            }
            deaths = known.deaths();
            if (lease != null) {
                lease.close();
                Instant now = clock.instant();
                boolean soon = Duration.between(known.since(), now).compareTo(SETTLED) < 0;
                deaths = soon ? deaths + 1 : 0;
                known = new Held(spec, null, now, deaths);
                held.put(key, known);
            }
            Duration left = wait(deaths).minus(Duration.between(known.since(), clock.instant()));
            if (left.isPositive()) {
                return Optional.of(left);
            }
        }
        SharedContainers.Lease next = shared.acquire(spec);
        Held before = held.put(key, new Held(spec, next, clock.instant(), deaths));
        close(before);
        return Optional.empty();
    }

    private static Duration wait(int deaths) {
        if (deaths == 0) {
            return Duration.ZERO;
        }
        Duration wait = Duration.ofSeconds(1L << Math.min(deaths - 1, MOST_DOUBLINGS));
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }

    /** The container may end as far as this is concerned. */
    void release(ResourceKey key) {
        close(held.remove(key));
    }

    private static void close(@Nullable Held released) {
        if (released != null && released.lease() != null) {
            released.lease().close();
        }
    }
}
