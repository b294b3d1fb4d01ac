package dev.orloj.controllers.gc;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.OwnerReference;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;
import dev.orloj.controllers.informer.Informers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Knows the owners of all resources of all kinds, from the caches. Complete once it has a collector
 * for each kind. Thread-safe.
 */
public final class OwnerGraph {

    /** The state of an owner that a resource refers to. */
    enum Standing {
        /** The owner exists and keeps its dependents. */
        SOLID,
        /** The owner exists and waits until its dependents are gone. */
        WAITING,
        /** The owner is gone, or another of the same name has replaced it. */
        ABSENT
    }

    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private final ResourceClient client;
    private final Scheme scheme;
    private final Informers informers;
    private final Duration maxWait;
    private final List<OwnerCollector<?>> collectors = new CopyOnWriteArrayList<>();

    public OwnerGraph(ResourceClient client, Scheme scheme, Informers informers) {
        this(client, scheme, informers, MAX_WAIT);
    }

    OwnerGraph(ResourceClient client, Scheme scheme, Informers informers, Duration maxWait) {
        this.client = client;
        this.scheme = scheme;
        this.informers = informers;
        this.maxWait = maxWait;
    }

    ResourceClient client() {
        return client;
    }

    void add(OwnerCollector<?> collector) {
        collectors.add(collector);
    }

    /**
     * Waits until the caches of all kinds have what the store held when this was called. Reads the
     * newest change of each kind, but no resources.
     *
     * @param owner whose dependents are needed, for the error
     * @throws ApiException (Timeout) when that takes more than five seconds, or the error of the
     *     store
     */
    void awaitFresh(ResourceKey owner) throws InterruptedException {
        long deadline = System.nanoTime() + maxWait.toNanos();
        for (OwnerCollector<?> collector : collectors) {
            if (!collector.awaitFresh(Duration.ofNanos(deadline - System.nanoTime()))) {
                throw new ApiException(
                        ErrorReason.TIMEOUT,
                        ("this orlojd has not received all %s of the store within %d seconds; the"
                                        + " deletion of %s goes on later")
                                .formatted(collector.kind().plural(), maxWait.toSeconds(), owner));
            }
        }
    }

    /**
     * Returns whether the controller of the kind has finished with an owner that is being deleted:
     * it creates no dependents any more, and needs none.
     */
    boolean isReleased(Kind<?> kind, Resource owner) {
        return owner.metadata().finalizers().stream()
                .noneMatch(scheme.descriptor(kind).finalizers()::contains);
    }

    /** Returns all resources in the caches that refer to the uid of an owner. */
    List<Dependent> dependentsOf(Resource owner) {
        List<Dependent> dependents = new ArrayList<>();
        for (OwnerCollector<?> collector : collectors) {
            for (Resource resource : collector.ownedBy(owner.metadata().uid())) {
                dependents.add(new Dependent(collector, resource));
            }
        }
        return dependents;
    }

    /** Enqueues the owners that may have waited for a resource to go. */
    void enqueueWaitingOwnersOf(Resource dependent) {
        for (OwnerReference reference : dependent.metadata().ownerReferences()) {
            for (OwnerCollector<?> collector : collectors) {
                if (isOf(reference, collector.kind())) {
                    collector.enqueue(keyOf(reference, collector.kind(), dependent));
                }
            }
        }
    }

    /**
     * Looks up an owner in the caches, and in the store if the caches do not have it. An owner of
     * an unknown kind, or of a namespaced kind when the dependent is cluster-scoped, cannot be
     * looked up and counts as solid.
     */
    Standing standing(Resource dependent, OwnerReference reference) {
        Optional<KindDescriptor<?>> known =
                scheme.findKind(reference.apiVersion(), reference.kind());
        if (known.isEmpty()) {
            return Standing.SOLID;
        }
        Kind<?> kind = known.get().stored().kind();
        if (kind.namespaced() && dependent.metadata().namespace().isEmpty()) {
            return Standing.SOLID;
        }
        ResourceKey key = keyOf(reference, kind, dependent);
        return cached(kind, key)
                .filter(owner -> owner.metadata().uid().equals(reference.uid()))
                .or(
                        () ->
                                stored(kind, key)
                                        .filter(
                                                owner ->
                                                        owner.metadata()
                                                                .uid()
                                                                .equals(reference.uid())))
                .map(owner -> standing(kind, owner))
                .orElse(Standing.ABSENT);
    }

    /**
     * Returns whether a reference is to an owner of the kind, through the kind itself or one of its
     * views.
     */
    private boolean isOf(OwnerReference reference, Kind<?> kind) {
        return scheme.findKind(reference.apiVersion(), reference.kind())
                .filter(named -> named.stored().kind().equals(kind))
                .isPresent();
    }

    private Optional<Resource> cached(Kind<?> kind, ResourceKey key) {
        return informers.follow(kind)
                ? informers.of(kind).cache().find(key).map(Resource.class::cast)
                : Optional.empty();
    }

    private Optional<Resource> stored(Kind<?> kind, ResourceKey key) {
        return client.find(kind, key).map(Resource.class::cast);
    }

    private Standing standing(Kind<?> kind, Resource owner) {
        boolean waits =
                owner.metadata().isDeleting()
                        && owner.metadata().finalizers().contains(Propagation.FOREGROUND_FINALIZER)
                        && isReleased(kind, owner);
        return waits ? Standing.WAITING : Standing.SOLID;
    }

    private static ResourceKey keyOf(OwnerReference reference, Kind<?> kind, Resource dependent) {
        String namespace = kind.namespaced() ? dependent.metadata().namespace() : "";
        return new ResourceKey(namespace, reference.name());
    }
}
