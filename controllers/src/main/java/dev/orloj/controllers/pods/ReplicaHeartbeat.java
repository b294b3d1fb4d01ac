package dev.orloj.controllers.pods;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.Lease;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.workqueue.Workqueue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Renews the Lease of this replica, so that others know whether its Pods are still true. Leases
 * have a revision of their own: this wakes no watcher of anything else. There is one key, which
 * comes back by itself.
 */
public final class ReplicaHeartbeat implements Reconciler {

    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final ResourceClient client;
    private final Replica replica;
    private final InstantSource clock;

    /** Puts its key into the queue. */
    public ReplicaHeartbeat(
            ResourceClient client,
            Replica replica,
            InstantSource clock,
            Workqueue<ResourceKey> queue) {
        this.client = client;
        this.replica = replica;
        this.clock = clock;
        queue.add(ReplicaLease.key(replica));
    }

    @Override
    public Result reconcile(ResourceKey key) {
        Instant now = clock.instant();
        client.find(Lease.KIND, key)
                .ifPresentOrElse(
                        lease ->
                                client.update(
                                        Lease.KIND, ReplicaLease.renewed(lease, replica, now)),
                        () -> client.create(Lease.KIND, ReplicaLease.acquired(replica, now)));
        return Result.requeueAfter(PERIOD);
    }

    /** Takes back what a replica says of itself: its Pods and its Lease. */
    public static void signOff(ResourceClient client, Replica replica) {
        PodReconciler.sweep(client, replica.id());
        try {
            client.delete(Lease.KIND, ReplicaLease.key(replica), DeleteOptions.UNCONDITIONAL);
        } catch (ApiException e) {
            if (e.reason() != ErrorReason.NOT_FOUND) {
                throw e;
            }
        }
    }
}
