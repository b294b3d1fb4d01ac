package dev.orloj.controllers.pods;

import dev.orloj.api.MicroTime;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.Lease;
import dev.orloj.api.v1.Namespace;
import dev.orloj.api.v1.Pod;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The Lease by which a replica shows that it lives. Only a label tells it from other Leases. */
final class ReplicaLease {

    /** Without a renewal for so long a replica counts as dead. */
    static final Duration DURATION = Duration.ofSeconds(40);

    private ReplicaLease() {}

    static ResourceKey key(Replica replica) {
        return new ResourceKey(Namespace.SYSTEM, "orlojd-" + replica.id());
    }

    static Lease acquired(Replica replica, Instant now) {
        ResourceKey key = key(replica);
        ObjectMeta metadata =
                ObjectMeta.of(key.namespace(), key.name())
                        .withLabels(Map.of(Pod.REPLICA_LABEL, replica.id()));
        return new Lease(
                Lease.KIND.apiVersion(),
                Lease.KIND.name(),
                metadata,
                terms(replica, new MicroTime(now), now));
    }

    static Lease renewed(Lease lease, Replica replica, Instant now) {
        MicroTime acquired =
                Optional.ofNullable(lease.spec())
                        .map(Lease.Spec::acquireTime)
                        .orElseGet(() -> new MicroTime(now));
        return new Lease(
                lease.apiVersion(), lease.kind(), lease.metadata(), terms(replica, acquired, now));
    }

    private static Lease.Spec terms(Replica replica, MicroTime acquired, Instant now) {
        return new Lease.Spec(
                replica.host(), (int) DURATION.toSeconds(), acquired, new MicroTime(now));
    }
}
