package dev.orloj.controllers.singleton;

import dev.orloj.api.MicroTime;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Lease;
import dev.orloj.api.core.Namespace;
import dev.orloj.controllers.replica.Replica;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The Lease of the replica that owns the sessions with singletons. Its times are for people only.
 */
final class SingletonLease {

    static final ResourceKey KEY = new ResourceKey(Namespace.SYSTEM, "orlojd-singletons");

    /** How long another replica must see no renewal before it may take the Lease. */
    static final Duration DURATION = Duration.ofSeconds(30);

    private SingletonLease() {}

    static String holder(Lease lease) {
        return lease.spec() == null ? "" : lease.spec().holderIdentity();
    }

    static Lease acquired(Replica replica, Instant now) {
        return new Lease(
                Lease.KIND.apiVersion(),
                Lease.KIND.name(),
                ObjectMeta.of(KEY.namespace(), KEY.name()),
                terms(replica, new MicroTime(now), now, 0));
    }

    /** Returns the next state of a Lease that the replica holds or takes. */
    static Lease renewed(Lease lease, Replica replica, Instant now) {
        Lease.Spec last = lease.spec();
        boolean had = holder(lease).equals(replica.id());
        MicroTime acquired = last == null || !had ? null : last.acquireTime();
        int transitions = last == null ? 0 : Objects.requireNonNullElse(last.leaseTransitions(), 0);
        return new Lease(
                lease.apiVersion(),
                lease.kind(),
                lease.metadata(),
                terms(
                        replica,
                        Objects.requireNonNullElseGet(acquired, () -> new MicroTime(now)),
                        now,
                        had ? transitions : transitions + 1));
    }

    private static Lease.Spec terms(
            Replica replica, MicroTime acquired, Instant now, int transitions) {
        return new Lease.Spec(
                replica.id(),
                (int) DURATION.toSeconds(),
                acquired,
                new MicroTime(now),
                transitions,
                "",
                "");
    }
}
