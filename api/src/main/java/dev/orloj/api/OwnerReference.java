package dev.orloj.api;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * Names the owner of a resource by uid. A resource all of whose owners are gone is collected.
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

    /** The reference by which {@code owner} controls another resource. */
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
