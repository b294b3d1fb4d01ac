package dev.orloj.controllers.replica;

import dev.orloj.api.MicroTime;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Lease;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.core.Pod;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The Lease that a replica renews to show that it is alive. Only a label distinguishes it from
 * other Leases.
 */
public final class ReplicaLease {

    /** A replica without a renewal for this long counts as dead. */
    public static final Duration DURATION = Duration.ofSeconds(40);

    /** The annotation with the address at which other replicas reach it. */
    private static final String ADDRESS = "orloj.dev/advertise-url";

    private ReplicaLease() {}

    public static ResourceKey key(Replica replica) {
        return new ResourceKey(Namespace.SYSTEM, "orlojd-" + replica.id());
    }

    public static Lease acquired(Replica replica, Optional<URI> address, Instant now) {
        ResourceKey key = key(replica);
        ObjectMeta metadata =
                ObjectMeta.of(key.namespace(), key.name())
                        .withLabels(Map.of(Pod.REPLICA_LABEL, replica.id()))
                        .withAnnotations(annotations(Map.of(), address));
        return new Lease(
                Lease.KIND.apiVersion(),
                Lease.KIND.name(),
                metadata,
                terms(replica, new MicroTime(now), now));
    }

    public static Lease renewed(Lease lease, Replica replica, Optional<URI> address, Instant now) {
        MicroTime acquired =
                Optional.ofNullable(lease.spec())
                        .map(Lease.Spec::acquireTime)
                        .orElseGet(() -> new MicroTime(now));
        ObjectMeta metadata = lease.metadata();
        return new Lease(
                lease.apiVersion(),
                lease.kind(),
                metadata.withAnnotations(annotations(metadata.annotations(), address)),
                terms(replica, acquired, now));
    }

    private static Map<String, String> annotations(
            Map<String, String> others, Optional<URI> address) {
        Map<String, String> annotations = new TreeMap<>(others);
        annotations.remove(ADDRESS);
        address.ifPresent(uri -> annotations.put(ADDRESS, uri.toString()));
        return annotations;
    }

    /**
     * Returns the address that a replica advertises. Empty if there is none or it is not usable.
     */
    static Optional<URI> addressIn(Lease lease) {
        String address = lease.metadata().annotations().getOrDefault(ADDRESS, "");
        try {
            return Optional.of(new URI(address)).filter(uri -> uri.getHost() != null);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static Lease.Spec terms(Replica replica, MicroTime acquired, Instant now) {
        return new Lease.Spec(
                replica.host(), (int) DURATION.toSeconds(), acquired, new MicroTime(now));
    }
}
