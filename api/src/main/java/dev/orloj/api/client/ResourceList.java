package dev.orloj.api.client;

import dev.orloj.api.ResourceVersion;

import java.util.List;

/**
 * A page of a collection.
 *
 * @param version the revision of all pages of this list; a watch may start from it
 * @param items ordered by namespace and name
 * @param continueToken requests the next page; empty on the last
 * @param remaining how many follow, or -1 when unknown
 */
public record ResourceList<R>(
        ResourceVersion version, List<R> items, String continueToken, long remaining) {

    public ResourceList {
        items = List.copyOf(items);
    }

    public boolean hasMore() {
        return !continueToken.isEmpty();
    }
}
