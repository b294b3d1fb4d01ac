package dev.orloj.server.mcp.protocol;

import dev.orloj.runtime.call.CallOutcome.InputRequired;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;

/** Sets how long clients may cache results, in the revision that supports cache hints. */
public final class CacheHints {

    /**
     * Lists from the catalog change when servers change, and listening clients are notified. For
     * clients that only poll, a minute is soon enough.
     */
    private static final Duration CATALOGUE = Duration.ofMinutes(1);

    private CacheHints() {}

    public static ObjectNode ofCatalogue(ObjectNode result, ClientEra era) {
        return era.withTimeToLive(result, CATALOGUE);
    }

    /**
     * Forbids the client to cache a result of a server that sets no hint of its own: the next
     * result may differ.
     */
    public static ObjectNode ofServer(ObjectNode result, ClientEra era) {
        return InputRequired.isWantedBy(result) || result.has("ttlMs") && result.has("cacheScope")
                ? result
                : era.withTimeToLive(result, Duration.ZERO);
    }
}
