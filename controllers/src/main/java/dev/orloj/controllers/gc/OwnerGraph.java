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
 * Who owns whom, over all kinds, as the caches know it. Complete once a collector for each kind is
 * in it; safe for many threads.
 */
public final class OwnerGraph {

    /** How an owner stands to a resource that names it. */
    enum Standing {
        /** It is there and wants its dependents. */
        SOLID,
        /** It is there and waits for its dependents to go first. */
        WAITING,
        /** It is gone, or another of the same name has come in its place. */
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

    /** All that name this incarnation of an owner. */
    List<Dependent> dependentsOf(Resource owner) {
        List<Dependent> dependents = new ArrayList<>();
        for (OwnerCollector<?> collector : collectors) {
            for (Resource resource : collector.ownedBy(owner.metadata().uid())) {
                dependents.add(new Dependent(collector, resource));
            }
        }
        return dependents;
    }

    /** Has the owners looked at that may have waited for a resource to go. */
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
     * Asks the caches, and the store when they do not know the owner. An owner of a kind that is
     * not known, or in a namespace where the dependent is in none, cannot be judged and counts as
     * solid.
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

    /** Whether a reference, in whatever shape it names its owner, is to one of the kind. */
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
