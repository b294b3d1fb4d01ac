package dev.orloj.controllers.gc;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.OwnerReference;
import dev.orloj.api.Resource;

/**
 * A resource that refers to owners, as a cache holds it.
 *
 * @param collector whose kind it is of
 */
record Dependent(OwnerCollector<?> collector, Resource resource) {

    ObjectMeta metadata() {
        return resource.metadata();
    }

    /** Whether a foreground deletion of the owner has to wait for it. */
    boolean blocks(String ownerUid) {
        return metadata().ownerReferences().stream()
                .filter(owner -> owner.uid().equals(ownerUid))
                .anyMatch(OwnerReference::blockOwnerDeletion);
    }

    void enqueue() {
        collector.enqueue(resource.key());
    }
}
