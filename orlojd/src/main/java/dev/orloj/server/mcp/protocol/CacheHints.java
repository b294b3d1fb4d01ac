package dev.orloj.server.mcp.protocol;

import dev.orloj.runtime.call.CallOutcome.InputRequired;
import dev.orloj.server.authorization.Rights;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;

/** Sets how long clients may cache results, in the revision that supports cache hints. */
public final class CacheHints {

    /**
     * Lists from the catalog change when servers change, and listening clients are notified. For
     * clients that only poll, a minute is soon enough.
     */
    private static final Duration CATALOGUE = Duration.ofMinutes(1);

    private static final String SCOPE = "cacheScope";

    private CacheHints() {}

    public static ObjectNode ofCatalogue(ObjectNode result, ClientEra era, Rights rights) {
        return forReader(era.withTimeToLive(result, CATALOGUE), rights);
    }

    /**
     * Forbids the client to cache a result of a server that sets no hint of its own: the next
     * result may differ.
     */
    public static ObjectNode ofServer(ObjectNode result, ClientEra era, Rights rights) {
        return InputRequired.isWantedBy(result) || result.has("ttlMs") && result.has(SCOPE)
                ? forReader(result, rights)
                : forReader(era.withTimeToLive(result, Duration.ZERO), rights);
    }

    /** A result that another user may not get must not be cached for several. */
    private static ObjectNode forReader(ObjectNode result, Rights rights) {
        return rights.dependOnUser() && result.has(SCOPE) ? result.put(SCOPE, "private") : result;
    }
}
