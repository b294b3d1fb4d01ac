package dev.orloj.api.client;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceVersion;

import org.jspecify.annotations.Nullable;

/**
 * What must hold for a deletion to happen, and how it is done.
 *
 * @param uid only this incarnation; empty for any
 * @param resourceVersion only this state; unset for any
 * @param dryRun whether to check everything and delete nothing
 * @param propagation what becomes of the dependents; null for what the finalizers of the resource
 *     say already, and {@link Propagation#BACKGROUND} when they say nothing
 */
public record DeleteOptions(
        String uid,
        ResourceVersion resourceVersion,
        boolean dryRun,
        @Nullable Propagation propagation) {

    /** The resource in any state. */
    public static final DeleteOptions UNCONDITIONAL =
            new DeleteOptions("", ResourceVersion.UNSET, false);

    public DeleteOptions(String uid, ResourceVersion resourceVersion, boolean dryRun) {
        this(uid, resourceVersion, dryRun, null);
    }

    /** Only the incarnation that was read, in any later state. */
    public static DeleteOptions ofIncarnation(ObjectMeta metadata) {
        return new DeleteOptions(metadata.uid(), ResourceVersion.UNSET, false);
    }

    /** Only the state that was read. */
    public static DeleteOptions ofState(ObjectMeta metadata) {
        return new DeleteOptions(metadata.uid(), metadata.resourceVersion(), false);
    }

    public DeleteOptions with(Propagation order) {
        return new DeleteOptions(uid, resourceVersion, dryRun, order);
    }
}
