package dev.orloj.api.client;

import dev.orloj.api.FieldSelector;
import dev.orloj.api.LabelSelector;
import dev.orloj.api.ResourceVersion;

/**
 * Selects the events of a watch.
 *
 * @param namespace empty for all
 * @param from changes after this revision; unset to get the current state first, as added events
 */
public record WatchOptions(
        String namespace, LabelSelector labels, FieldSelector fields, ResourceVersion from) {

    /** Selects every change of the kind after {@code from}. */
    public static WatchOptions everythingAfter(ResourceVersion from) {
        return new WatchOptions("", LabelSelector.EVERYTHING, FieldSelector.EVERYTHING, from);
    }
}
