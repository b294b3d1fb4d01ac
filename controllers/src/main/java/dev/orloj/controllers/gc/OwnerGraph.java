package dev.orloj.controllers.gc;

import dev.orloj.api.Kind;
import dev.orloj.api.OwnerReference;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;
import dev.orloj.controllers.informer.Informers;

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

    private final ResourceClient client;
    private final Scheme scheme;
    private final Informers informers;
    private final List<OwnerCollector<?>> collectors = new CopyOnWriteArrayList<>();

    public OwnerGraph(ResourceClient client, Scheme scheme, Informers informers) {
        this.client = client;
        this.scheme = scheme;
        this.informers = informers;
    }

    ResourceClient client() {
        return client;
    }

    void add(OwnerCollector<?> collector) {
        collectors.add(collector);
    }

    /** Returns all resources that refer to the uid of an owner. */
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
                .map(OwnerGraph::standing)
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

    private static Standing standing(Resource owner) {
        boolean waits =
                owner.metadata().isDeleting()
                        && owner.metadata().finalizers().contains(Propagation.FOREGROUND_FINALIZER);
        return waits ? Standing.WAITING : Standing.SOLID;
    }

    private static ResourceKey keyOf(OwnerReference reference, Kind<?> kind, Resource dependent) {
        String namespace = kind.namespaced() ? dependent.metadata().namespace() : "";
        return new ResourceKey(namespace, reference.name());
    }
}
