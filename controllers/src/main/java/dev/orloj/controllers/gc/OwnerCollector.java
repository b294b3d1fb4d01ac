package dev.orloj.controllers.gc;

import dev.orloj.api.Kind;
import dev.orloj.api.OwnerReference;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Index;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.controllers.workqueue.Workqueue.Priority;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Optional;

/**
 * Deletes the resources of one kind all of whose owners are gone. An owner that has the right name
 * and another uid is gone too: a new one came in its place. The store is asked, not a cache, before
 * anything is deleted; an owner of a kind that is not known counts as alive.
 */
public final class OwnerCollector<R extends Resource> implements Reconciler {

    private static final Logger log = LoggerFactory.getLogger(OwnerCollector.class);

    private final ResourceClient client;
    private final Scheme scheme;
    private final Informer<R> dependents;
    private final Index<R> byOwner;

    /**
     * @param dependents not started yet
     */
    public OwnerCollector(ResourceClient client, Scheme scheme, Informer<R> dependents) {
        this.client = client;
        this.scheme = scheme;
        this.dependents = dependents;
        this.byOwner =
                dependents.addIndex(
                        resource ->
                                resource.metadata().ownerReferences().stream()
                                        .map(OwnerReference::uid)
                                        .distinct()
                                        .toList());
    }

    /** Puts a dependent into the queue when it is new or has new owners. */
    public void watchDependents(Workqueue<ResourceKey> queue) {
        dependents.addHandler(
                new EventHandler<R>() {
                    @Override
                    public void added(R resource, boolean initial) {
                        if (!resource.metadata().ownerReferences().isEmpty()) {
                            queue.add(resource.key(), Priority.BACKGROUND);
                        }
                    }

                    @Override
                    public void updated(R before, R after) {
                        if (!before.metadata()
                                .ownerReferences()
                                .equals(after.metadata().ownerReferences())) {
                            queue.add(after.key());
                        }
                    }

                    @Override
                    public void deleted(R last) {}
                });
    }

    /** Puts the dependents of a deleted owner into the queue. */
    public void watchOwners(Informer<?> owners, Workqueue<ResourceKey> queue) {
        owners.addHandler(
                new EventHandler<Resource>() {
                    @Override
                    public void added(Resource resource, boolean initial) {}

                    @Override
                    public void updated(Resource before, Resource after) {}

                    @Override
                    public void deleted(Resource last) {
                        byOwner.find(last.metadata().uid())
                                .forEach(dependent -> queue.add(dependent.key()));
                    }
                });
    }

    @Override
    public Result reconcile(ResourceKey key) {
        Optional<R> dependent = dependents.cache().find(key);
        if (dependent.isPresent() && isOrphan(dependent.get())) {
            collect(dependent.get());
        }
        return Result.DONE;
    }

    private boolean isOrphan(R dependent) {
        List<OwnerReference> owners = dependent.metadata().ownerReferences();
        return !dependent.metadata().isDeleting()
                && !owners.isEmpty()
                && owners.stream().noneMatch(owner -> isAlive(dependent, owner));
    }

    private boolean isAlive(R dependent, OwnerReference owner) {
        Optional<KindDescriptor<?>> known = scheme.findKind(owner.apiVersion(), owner.kind());
        if (known.isEmpty()) {
            return true;
        }
        Kind<?> kind = known.get().kind();
        String namespace = kind.namespaced() ? dependent.metadata().namespace() : "";
        return client.find(kind, new ResourceKey(namespace, owner.name()))
                .filter(found -> found.metadata().uid().equals(owner.uid()))
                .isPresent();
    }

    /** Only in the state that was looked at: somebody may be giving it another owner just now. */
    private void collect(R orphan) {
        client.delete(
                dependents.kind(),
                orphan.key(),
                new DeleteOptions(
                        orphan.metadata().uid(), orphan.metadata().resourceVersion(), false));
        log.atInfo()
                .addKeyValue("kind", orphan.kind())
                .addKeyValue("key", orphan.key())
                .log("Collected: its owners are gone");
    }
}
