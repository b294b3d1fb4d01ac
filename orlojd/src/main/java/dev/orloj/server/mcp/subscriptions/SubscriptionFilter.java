package dev.orloj.server.mcp.subscriptions;

import dev.orloj.api.Frozen;
import dev.orloj.runtime.call.CallRequest;
import dev.orloj.server.mcp.protocol.ListKind;

import java.util.Set;

/**
 * Selects the notifications that a client receives without a request.
 *
 * @param lists whose changes it receives
 * @param resources uris, as the client spells them, whose updates it receives
 * @param logs whether it receives log messages of servers
 */
public record SubscriptionFilter(Set<ListKind> lists, Set<String> resources, boolean logs) {

    public SubscriptionFilter {
        lists = Frozen.set(lists);
        resources = Frozen.set(resources);
    }

    /** For the streams of revisions before 2026-07-28, which have no filter. */
    public static final SubscriptionFilter ALL_LISTS =
            new SubscriptionFilter(Set.of(ListKind.values()), Set.of(), true);

    private static final SubscriptionFilter WITHOUT_LOGS =
            new SubscriptionFilter(Set.of(ListKind.values()), Set.of(), false);

    /**
     * For the stream of a session. What a server logs outside of a request can be about the request
     * of any user, so where users are known none of them receives it.
     */
    public static SubscriptionFilter ofSession(String caller) {
        return caller.equals(CallRequest.ANYBODY) ? ALL_LISTS : WITHOUT_LOGS;
    }
}
