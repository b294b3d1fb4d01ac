package dev.orloj.api.client;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceVersion;

import org.jspecify.annotations.Nullable;

/**
 * The preconditions and the mode of a deletion.
 *
 * @param uid delete only the resource with this uid; empty for any
 * @param resourceVersion delete only this state; unset for any
 * @param dryRun whether to check everything and delete nothing
 * @param propagation how to handle the dependents; null for the mode that the finalizers of the
 *     resource already set, or {@link Propagation#BACKGROUND} if they set none
 */
public record DeleteOptions(
        String uid,
        ResourceVersion resourceVersion,
        boolean dryRun,
        @Nullable Propagation propagation) {

    /** Deletes the resource in any state. */
    public static final DeleteOptions UNCONDITIONAL =
            new DeleteOptions("", ResourceVersion.UNSET, false);

    public DeleteOptions(String uid, ResourceVersion resourceVersion, boolean dryRun) {
        this(uid, resourceVersion, dryRun, null);
    }

    /** Deletes only the resource with the uid that was read, in any later state. */
    public static DeleteOptions ofIncarnation(ObjectMeta metadata) {
        return new DeleteOptions(metadata.uid(), ResourceVersion.UNSET, false);
    }

    /** Deletes only the state that was read. */
    public static DeleteOptions ofState(ObjectMeta metadata) {
        return new DeleteOptions(metadata.uid(), metadata.resourceVersion(), false);
    }

    public DeleteOptions with(Propagation order) {
        return new DeleteOptions(uid, resourceVersion, dryRun, order);
    }
}
