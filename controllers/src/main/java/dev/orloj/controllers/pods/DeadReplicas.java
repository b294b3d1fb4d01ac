package dev.orloj.controllers.pods;

import dev.orloj.api.LabelSelector;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.core.Lease;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.core.Pod;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.replica.ReplicaLease;
import dev.orloj.controllers.workqueue.Workqueue;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Deletes the Pods of replicas that died and were not started again. A Lease counts from when this
 * replica saw it change, not from the times in it, because the clocks of two hosts may differ. The
 * queue has one key, which requeues itself. Used by one worker.
 */
public final class DeadReplicas implements Reconciler {

    private static final Logger log = LoggerFactory.getLogger(DeadReplicas.class);
    private static final ResourceKey ALL_LEASES = new ResourceKey(Namespace.SYSTEM, "leases");
    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final ResourceClient client;
    private final InstantSource clock;
    private final Consumer<String> sweep;
    private Map<ResourceKey, Renewal> renewals = new HashMap<>();

    /** The time when a Lease was first seen at its version. */
    private record Renewal(ResourceVersion version, Instant seenAt) {}

    /**
     * Creates the reconciler and adds its key to the queue.
     *
     * @param sweep removes what a dead replica left in the cluster; if it throws, it is called
     *     again
     */
    public DeadReplicas(
            ResourceClient client,
            InstantSource clock,
            Consumer<String> sweep,
            Workqueue<ResourceKey> queue) {
        this.client = client;
        this.sweep = sweep;
        this.clock = clock;
        queue.add(ALL_LEASES);
    }

    @Override
    public Result reconcile(ResourceKey key) {
        Instant now = clock.instant();
        Map<ResourceKey, Renewal> seen = new HashMap<>();
        for (Lease lease : leases()) {
            ResourceVersion version = lease.metadata().resourceVersion();
            Renewal renewal = renewals.get(lease.key());
            if (renewal == null || !renewal.version().equals(version)) {
                renewal = new Renewal(version, now);
            }
            if (renewal.seenAt().plus(ReplicaLease.DURATION).isAfter(now)) {
                seen.put(lease.key(), renewal);
            } else {
                bury(lease);
            }
        }
        renewals = seen;
        return Result.requeueAfter(PERIOD);
    }

    private List<Lease> leases() {
        return client.list(
                        Lease.KIND,
                        ListOptions.inNamespace(Namespace.SYSTEM)
                                .withLabels(LabelSelector.parse(Pod.REPLICA_LABEL)))
                .items();
    }

    /**
     * Deletes the Pods and then the Lease. The Lease is last, so that an interrupted cleanup is
     * repeated in full.
     */
    private void bury(Lease lease) {
        String replica = lease.metadata().labels().getOrDefault(Pod.REPLICA_LABEL, "");
        log.atInfo()
                .addKeyValue("replica", replica)
                .log("A replica shows no sign of life: its Pods are deleted");
        PodReconciler.sweep(client, replica);
        sweep.accept(replica);
        client.delete(Lease.KIND, lease.key(), DeleteOptions.ofState(lease.metadata()));
    }
}
