package dev.orloj.api;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * Refers to the owner of a resource by uid. A resource is garbage collected when all its owners are
 * gone.
 *
 * @param controller whether this owner is the one that manages the resource
 * @param blockOwnerDeletion whether a foreground deletion of the owner waits for the resource
 */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record OwnerReference(
        String apiVersion,
        String kind,
        String name,
        String uid,
        boolean controller,
        boolean blockOwnerDeletion) {

    /** Returns a reference that makes {@code owner} the controller of another resource. */
    public static OwnerReference controllerOf(Resource owner) {
        return new OwnerReference(
                owner.apiVersion(),
                owner.kind(),
                owner.metadata().name(),
                owner.metadata().uid(),
                true,
                true);
    }
}
