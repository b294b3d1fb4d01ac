package dev.orloj.controllers.replica;

import dev.orloj.api.core.Lease;
import dev.orloj.api.core.Pod;
import dev.orloj.controllers.informer.EventHandler;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Where the replicas can be reached, as their Leases say. Thread-safe.
 *
 * <p>An address of the loopback interface counts only among the replicas of one host.
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

    /** Says, before this replica has a Lease, where the others reach it. */
    public void advertise(URI address) {
        own = address;
    }

    public Optional<URI> own() {
        return Optional.ofNullable(own);
    }

    /** Where another replica can be reached from here; empty when it cannot, or is this one. */
    public Optional<URI> find(String replica) {
        return Optional.ofNullable(others.get(replica))
                .filter(entry -> entry.host().equals(self.host()) || !isLoopback(entry.address()))
                .map(Entry::address);
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
