package dev.orloj.controllers.singleton;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.core.Lease;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.runtime.session.SingletonTerm;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Makes the leading replica the owner of all singletons, with a Lease that it renews. The queue has
 * one key, which requeues itself. Used by one worker.
 *
 * <p>There must never be two owners at a time. The owner begins to close its sessions {@link
 * #TENURE} after it began the last renewal that it knows to have succeeded. Another replica takes
 * the Lease after it has seen no change of the Lease for {@link SingletonLease#DURATION}. The
 * processes must end in the time between, by force if necessary. Both replicas measure with their
 * own monotonic clock, from a moment that both have observed, so clocks of hosts that differ or
 * jump do no harm. The rates of the clocks would have to differ by half. One risk remains: a
 * replica that is frozen as a whole for the length of a tenure while its processes are not.
 */
public final class SingletonElection implements Reconciler {

    /** How long the owner acts on a renewal. */
    static final Duration TENURE = Duration.ofSeconds(15);

    private static final Duration RENEWAL_PERIOD = Duration.ofSeconds(3);
    private static final Duration LOOK_PERIOD = Duration.ofSeconds(1);

    private final ResourceClient client;
    private final Replica replica;
    private final SingletonTerm term;
    private final BooleanSupplier needed;
    private final InstantSource clock;
    private final LongSupplier nanoTime;

    /** The Lease of another replica. */
    private @Nullable Seen seen;

    /** The time when a Lease was first seen at its version. */
    private record Seen(ResourceVersion version, long nanos) {}

    /**
     * Creates the reconciler and adds its key to the queue.
     *
     * @param needed whether there is any singleton
     * @param nanoTime as {@link System#nanoTime}
     */
    public SingletonElection(
            ResourceClient client,
            Replica replica,
            SingletonTerm term,
            BooleanSupplier needed,
            InstantSource clock,
            LongSupplier nanoTime,
            Workqueue<ResourceKey> queue) {
        this.client = client;
        this.replica = replica;
        this.term = term;
        this.needed = needed;
        this.clock = clock;
        this.nanoTime = nanoTime;
        queue.add(SingletonLease.KEY);
    }

    @Override
    public Result reconcile(ResourceKey key) {
        if (!needed.getAsBoolean()) {
            return Result.requeueAfter(LOOK_PERIOD);
        }
        long began = nanoTime.getAsLong();
        Optional<Lease> found = client.find(Lease.KIND, key);
        if (found.isEmpty()) {
            client.create(Lease.KIND, SingletonLease.acquired(replica, clock.instant()));
        } else if (mayTake(found.get(), began)) {
            client.update(
                    Lease.KIND, SingletonLease.renewed(found.get(), replica, clock.instant()));
        } else {
            return Result.requeueAfter(LOOK_PERIOD);
        }
        seen = null;
        term.ownedBy(replica.id());
        term.extend(TENURE.minusNanos(nanoTime.getAsLong() - began));
        return Result.requeueAfter(RENEWAL_PERIOD);
    }

    /**
     * Returns whether this replica may take the Lease. A replica may always take its own: no
     * process survives a restart of its replica.
     */
    private boolean mayTake(Lease lease, long now) {
        String holder = SingletonLease.holder(lease);
        if (holder.isEmpty() || holder.equals(replica.id())) {
            return true;
        }
        ResourceVersion version = lease.metadata().resourceVersion();
        if (seen == null || !seen.version().equals(version)) {
            // Measure from after the read, because the Lease may have been written at that very
            // moment.
            seen = new Seen(version, nanoTime.getAsLong());
        }
        return now - seen.nanos() >= SingletonLease.DURATION.toNanos();
    }

    /**
     * Lets another replica take over immediately. Called when no session with a singleton is left
     * here.
     */
    public static void resign(ResourceClient client, Replica replica) {
        Optional<Lease> lease =
                client.find(Lease.KIND, SingletonLease.KEY)
                        .filter(l -> SingletonLease.holder(l).equals(replica.id()));
        if (lease.isPresent()) {
            client.delete(
                    Lease.KIND, SingletonLease.KEY, DeleteOptions.ofState(lease.get().metadata()));
        }
    }
}
