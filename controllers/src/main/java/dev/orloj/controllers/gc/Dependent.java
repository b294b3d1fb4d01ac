package dev.orloj.controllers.gc;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.OwnerReference;
import dev.orloj.api.Resource;

/**
 * A resource with owner references, as in the cache.
 *
 * @param collector of the kind of the resource
 */
record Dependent(OwnerCollector<?> collector, Resource resource) {

    ObjectMeta metadata() {
        return resource.metadata();
    }

    /** Returns whether a foreground deletion of the owner must wait for this dependent. */
    boolean blocks(String ownerUid) {
        return metadata().ownerReferences().stream()
                .filter(owner -> owner.uid().equals(ownerUid))
                .anyMatch(OwnerReference::blockOwnerDeletion);
    }

    void enqueue() {
        collector.enqueue(resource.key());
    }
}
