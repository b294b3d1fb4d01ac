package dev.orloj.controllers.gc;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.OwnerReference;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.codec.Json;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Index;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.controllers.workqueue.Workqueue.Priority;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Collects garbage of one kind of resource, which can be dependents and owners. A dependent is
 * deleted when none of its owners needs it any more. An owner that is being deleted waits until its
 * dependents are gone (foreground) or until their references to it are removed (orphan).
 *
 * <p>An owner whose kind has a finalizer of its own is first left to the controller of its kind,
 * which may create dependents, or need them, until it removes that finalizer.
 *
 * <p>If a cache does not have an owner, the collector reads the store before it deletes anything.
 * Before an owner that waits is let go, all caches have caught up with the store. Every write has
 * the observed state as a precondition.
 */
public final class OwnerCollector<R extends Resource> implements Reconciler {

    private static final Logger log = LoggerFactory.getLogger(OwnerCollector.class);

    private final OwnerGraph graph;
    private final Informer<R> informer;
    private final Workqueue<ResourceKey> queue;
    private final Index<R> byOwner;

    /**
     * @param informer not started yet
     */
    public OwnerCollector(OwnerGraph graph, Informer<R> informer, Workqueue<ResourceKey> queue) {
        this.graph = graph;
        this.informer = informer;
        this.queue = queue;
        this.byOwner =
                informer.addIndex(
                        resource ->
                                resource.metadata().ownerReferences().stream()
                                        .map(OwnerReference::uid)
                                        .distinct()
                                        .toList());
        informer.addHandler(new Triggers());
        graph.add(this);
    }

    Kind<R> kind() {
        return informer.kind();
    }

    List<R> ownedBy(String uid) {
        return byOwner.find(uid);
    }

    /**
     * Waits until the cache has what the store held when this was called.
     *
     * @return false when this takes longer than the timeout
     */
    boolean awaitFresh(Duration timeout) throws InterruptedException {
        return informer.awaitFresh(graph.client().newestChange(kind()), timeout);
    }

    void enqueue(ResourceKey key) {
        queue.add(key);
    }

    private final class Triggers implements EventHandler<R> {

        @Override
        public void added(R resource, boolean initial) {
            ObjectMeta metadata = resource.metadata();
            if (!metadata.ownerReferences().isEmpty() || metadata.isDeleting()) {
                queue.add(resource.key(), Priority.BACKGROUND);
            }
        }

        @Override
        public void updated(R before, R after) {
            ObjectMeta was = before.metadata();
            ObjectMeta is = after.metadata();
            if (!was.ownerReferences().equals(is.ownerReferences())) {
                queue.add(after.key());
                graph.enqueueWaitingOwnersOf(before);
            }
            if (was.isDeleting() != is.isDeleting() || !was.finalizers().equals(is.finalizers())) {
                queue.add(after.key());
            }
        }

        @Override
        public void deleted(R last) {
            graph.dependentsOf(last).forEach(Dependent::enqueue);
            graph.enqueueWaitingOwnersOf(last);
        }
    }

    @Override
    public Result reconcile(ResourceKey key) throws InterruptedException {
        Optional<R> found = informer.cache().find(key);
        if (found.isEmpty()) {
            return Result.DONE;
        }
        R resource = found.get();
        ObjectMeta metadata = resource.metadata();
        if (!metadata.isDeleting()) {
            lookForOwners(resource);
        } else if (!graph.isReleased(kind(), resource)) {
            return Result.DONE; // the removal of the finalizer enqueues it
        } else if (metadata.finalizers().contains(Propagation.ORPHAN_FINALIZER)) {
            orphanDependents(resource);
        } else if (metadata.finalizers().contains(Propagation.FOREGROUND_FINALIZER)) {
            sendDependentsAhead(resource);
        }
        return Result.DONE;
    }

    private void lookForOwners(R dependent) {
        Map<OwnerGraph.Standing, List<OwnerReference>> owners =
                dependent.metadata().ownerReferences().stream()
                        .collect(
                                Collectors.groupingBy(
                                        owner -> graph.standing(dependent, owner),
                                        () -> new EnumMap<>(OwnerGraph.Standing.class),
                                        Collectors.toList()));
        if (owners.isEmpty()) {
            return;
        }
        List<OwnerReference> solid = owners.getOrDefault(OwnerGraph.Standing.SOLID, List.of());
        if (solid.isEmpty()) {
            collect(dependent, owners.containsKey(OwnerGraph.Standing.WAITING));
        } else if (owners.size() > 1) {
            setOwners(dependent, solid);
        }
    }

    private void collect(R dependent, boolean ownerWaits) {
        DeleteOptions options = DeleteOptions.ofState(dependent.metadata());
        boolean inForeground = ownerWaits && !graph.dependentsOf(dependent).isEmpty();
        graph.client()
                .delete(
                        kind(),
                        dependent.key(),
                        inForeground ? options.with(Propagation.FOREGROUND) : options);
        log.atInfo()
                .addKeyValue("kind", dependent.kind())
                .addKeyValue("key", dependent.key())
                .log(ownerWaits ? "Collected before its owner" : "Collected: its owners are gone");
    }

    private void orphanDependents(R owner) throws InterruptedException {
        // A dependent that was created just before the deletion would keep its reference, and then
        // be collected although it was to stay.
        graph.awaitFresh(owner.key());
        String uid = owner.metadata().uid();
        for (Dependent dependent : graph.dependentsOf(owner)) {
            dependent.collector().disown(dependent.resource(), uid);
        }
        removeFinalizer(owner, Propagation.ORPHAN_FINALIZER);
    }

    private void disown(Resource dependent, String ownerUid) {
        setOwners(
                dependent,
                dependent.metadata().ownerReferences().stream()
                        .filter(owner -> !owner.uid().equals(ownerUid))
                        .toList());
    }

    private void sendDependentsAhead(R owner) throws InterruptedException {
        if (hasDependentsToGo(owner)) {
            return;
        }
        // A dependent that was created just before the deletion would outlive its owner.
        graph.awaitFresh(owner.key());
        if (!hasDependentsToGo(owner)) {
            removeFinalizer(owner, Propagation.FOREGROUND_FINALIZER);
        }
    }

    /** Enqueues the dependents that stay as yet, and returns whether the owner waits for any. */
    private boolean hasDependentsToGo(R owner) {
        List<Dependent> dependents = graph.dependentsOf(owner);
        dependents.stream().filter(d -> !d.metadata().isDeleting()).forEach(Dependent::enqueue);
        return dependents.stream().anyMatch(d -> d.blocks(owner.metadata().uid()));
    }

    private void setOwners(Resource dependent, List<OwnerReference> owners) {
        patch(dependent, "ownerReferences", owners);
    }

    private void removeFinalizer(R owner, String finalizer) {
        patch(owner, "finalizers", owner.metadata().withoutFinalizer(finalizer).finalizers());
    }

    private void patch(Resource resource, String field, List<?> values) {
        ObjectNode patch = Json.MAPPER.createObjectNode();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("uid", resource.metadata().uid());
        metadata.put("resourceVersion", resource.metadata().resourceVersion().toString());
        if (values.isEmpty()) {
            metadata.putNull(field);
        } else {
            metadata.set(field, Json.MAPPER.valueToTree(values));
        }
        graph.client().patch(kind(), resource.key(), patch);
    }
}
