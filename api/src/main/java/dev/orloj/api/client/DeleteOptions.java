package dev.orloj.api.client;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceVersion;

/**
 * What must hold for a deletion to happen.
 *
 * @param uid only this incarnation; empty for any
 * @param resourceVersion only this state; unset for any
 * @param dryRun whether to check everything and delete nothing
 */
public record DeleteOptions(String uid, ResourceVersion resourceVersion, boolean dryRun) {

    /** Whatever is there. */
    public static final DeleteOptions UNCONDITIONAL =
            new DeleteOptions("", ResourceVersion.UNSET, false);

    /** Only the incarnation that was read, in whatever state it is by now. */
    public static DeleteOptions ofIncarnation(ObjectMeta metadata) {
        return new DeleteOptions(metadata.uid(), ResourceVersion.UNSET, false);
    }
}
