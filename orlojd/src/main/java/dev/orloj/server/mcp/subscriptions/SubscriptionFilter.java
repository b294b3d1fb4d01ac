package dev.orloj.server.mcp.subscriptions;

import dev.orloj.api.Frozen;
import dev.orloj.server.mcp.protocol.ListKind;

import java.util.Set;

/**
 * What an agent wants to be told unasked.
 *
 * @param lists which lists it wants to hear of when they change
 * @param resources uris, as the agent spells them, whose changes it wants to hear of
 * @param logs whether it takes what servers log
 */
public record SubscriptionFilter(Set<ListKind> lists, Set<String> resources, boolean logs) {

    public SubscriptionFilter {
        lists = Frozen.set(lists);
        resources = Frozen.set(resources);
    }

    /** Of the streams of revisions before 2026-07-28, which take what comes. */
    public static final SubscriptionFilter ALL_LISTS =
            new SubscriptionFilter(Set.of(ListKind.values()), Set.of(), true);
}
