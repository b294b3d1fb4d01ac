package dev.orloj.server.mcp.protocol;

import dev.orloj.runtime.call.CallOutcome.InputRequired;
import dev.orloj.runtime.transport.ProtocolRevision;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;

/**
 * Sets how long clients may cache results, in the revision that has such hints. No result depends
 * on the client, so every cacheable one may be shared.
 */
public final class CacheHints {

    /**
     * Lists from the catalogue change when servers do, and listening clients are notified. For
     * clients that only poll, a minute is soon enough.
     */
    private static final Duration CATALOGUE = Duration.ofMinutes(1);

    private CacheHints() {}

    public static ObjectNode ofCatalogue(ObjectNode result, ProtocolRevision revision) {
        return with(result, revision, CATALOGUE);
    }

    /**
     * A result of a server without a hint of its own may differ the next time: the client must not
     * cache it.
     */
    public static ObjectNode ofServer(ObjectNode result, ProtocolRevision revision) {
        return InputRequired.isWantedBy(result) || result.has("ttlMs") && result.has("cacheScope")
                ? result
                : with(result, revision, Duration.ZERO);
    }

    private static ObjectNode with(ObjectNode result, ProtocolRevision revision, Duration time) {
        return revision.isStateless()
                ? result.put("ttlMs", time.toMillis()).put("cacheScope", "public")
                : result;
    }
}
