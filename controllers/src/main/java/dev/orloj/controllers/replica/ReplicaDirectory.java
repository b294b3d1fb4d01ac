package dev.orloj.controllers.replica;

import dev.orloj.api.core.Lease;
import dev.orloj.api.core.Pod;
import dev.orloj.controllers.informer.EventHandler;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Finds the addresses of the replicas from their Leases. Thread-safe.
 *
 * <p>A loopback address counts only among replicas on the same host.
 */
public final class ReplicaDirectory implements EventHandler<Lease> {

    private final Replica self;
    private final ConcurrentMap<String, Entry> others = new ConcurrentHashMap<>();
    private volatile @Nullable URI own;

    private record Entry(String host, URI address) {}

    public ReplicaDirectory(Replica self) {
        this.self = self;
    }

    public Replica self() {
        return self;
    }

    /**
     * Sets the address at which the other replicas reach this one. Called before this replica has a
     * Lease.
     */
    public void advertise(URI address) {
        own = address;
    }

    public Optional<URI> own() {
        return Optional.ofNullable(own);
    }

    /**
     * Returns the address of another replica. Empty if it cannot be reached from here or is this
     * replica.
     */
    public Optional<URI> find(String replica) {
        return Optional.ofNullable(others.get(replica))
                .filter(entry -> entry.host().equals(self.host()) || !isLoopback(entry.address()))
                .map(Entry::address);
    }

    /** Returns the other replicas that can be reached from here. */
    public List<String> others() {
        return others.keySet().stream().filter(replica -> find(replica).isPresent()).toList();
    }

    private static boolean isLoopback(URI address) {
        String host = address.getHost();
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    @Override
    public void added(Lease lease, boolean initial) {
        heed(lease);
    }

    @Override
    public void updated(Lease before, Lease after) {
        heed(after);
    }

    @Override
    public void deleted(Lease lease) {
        others.remove(replicaOf(lease));
    }

    private void heed(Lease lease) {
        String replica = replicaOf(lease);
        if (replica.isEmpty() || replica.equals(self.id())) {
            return;
        }
        Lease.Spec spec = lease.spec();
        String host = spec == null ? "" : spec.holderIdentity();
        ReplicaLease.addressIn(lease)
                .ifPresentOrElse(
                        address -> others.put(replica, new Entry(host, address)),
                        () -> others.remove(replica));
    }

    private static String replicaOf(Lease lease) {
        return lease.metadata().labels().getOrDefault(Pod.REPLICA_LABEL, "");
    }
}
