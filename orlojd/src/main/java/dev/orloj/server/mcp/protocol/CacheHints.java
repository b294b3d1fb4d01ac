package dev.orloj.server.mcp.protocol;

import dev.orloj.runtime.call.CallOutcome.InputRequired;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;

/** Sets how long clients may cache results, in the revision that has such hints. */
public final class CacheHints {

    /**
     * Lists from the catalogue change when servers do, and listening clients are notified. For
     * clients that only poll, a minute is soon enough.
     */
    private static final Duration CATALOGUE = Duration.ofMinutes(1);

    private CacheHints() {}

    public static ObjectNode ofCatalogue(ObjectNode result, ClientEra era) {
        return era.withTimeToLive(result, CATALOGUE);
    }

    /**
     * A result of a server without a hint of its own may differ the next time: the client must not
     * cache it.
     */
    public static ObjectNode ofServer(ObjectNode result, ClientEra era) {
        return InputRequired.isWantedBy(result) || result.has("ttlMs") && result.has("cacheScope")
                ? result
                : era.withTimeToLive(result, Duration.ZERO);
    }
}
