package dev.orloj.controllers.pods;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.core.Lease;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.controllers.replica.ReplicaDirectory;
import dev.orloj.controllers.replica.ReplicaLease;
import dev.orloj.controllers.workqueue.Workqueue;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Renews the Lease of this replica, so that other replicas know whether its Pods are still valid
 * and where to reach it. Leases have their own revision, so a renewal wakes no watch of another
 * kind. The queue has one key, which requeues itself.
 */
public final class ReplicaHeartbeat implements Reconciler {

    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final ResourceClient client;
    private final ReplicaDirectory directory;
    private final InstantSource clock;

    /** Creates the reconciler and adds its key to the queue. */
    public ReplicaHeartbeat(
            ResourceClient client,
            ReplicaDirectory directory,
            InstantSource clock,
            Workqueue<ResourceKey> queue) {
        this.client = client;
        this.directory = directory;
        this.clock = clock;
        queue.add(ReplicaLease.key(directory.self()));
    }

    @Override
    public Result reconcile(ResourceKey key) {
        Instant now = clock.instant();
        Replica self = directory.self();
        Optional<URI> address = directory.own();
        client.find(Lease.KIND, key)
                .ifPresentOrElse(
                        lease ->
                                client.update(
                                        Lease.KIND,
                                        ReplicaLease.renewed(lease, self, address, now)),
                        () -> client.create(Lease.KIND, ReplicaLease.acquired(self, address, now)));
        return Result.requeueAfter(PERIOD);
    }

    /** Deletes the Pods and the Lease of a replica that shuts down. */
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
