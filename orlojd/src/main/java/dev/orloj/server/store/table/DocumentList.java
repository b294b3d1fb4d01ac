package dev.orloj.server.store.table;

import dev.orloj.api.ResourceVersion;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/**
 * A page of a collection, as it was at one revision.
 *
 * @param version the revision that all pages of the list show; a watch may start from it
 * @param items ordered by namespace and name
 * @param continueToken asks for the next page; empty on the last
 * @param remaining how many follow, or -1 when unknown
 */
public record DocumentList(
        ResourceVersion version, List<ObjectNode> items, String continueToken, long remaining) {

    public DocumentList {
        items = List.copyOf(items);
    }
}
