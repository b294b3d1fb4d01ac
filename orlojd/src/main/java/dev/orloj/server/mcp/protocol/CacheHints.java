package dev.orloj.server.mcp.protocol;

import dev.orloj.runtime.call.CallOutcome.InputRequired;
import dev.orloj.runtime.transport.ProtocolRevision;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;

/**
 * How long agents may go on with what they were told, in the revision that knows such hints.
 * Nothing here depends on who asks, so whatever may be kept at all may be shared.
 */
public final class CacheHints {

    /**
     * What is in the catalogue changes when its servers do, which agents that listen are told; to
     * those who only ask, a minute is soon enough.
     */
    private static final Duration CATALOGUE = Duration.ofMinutes(1);

    private CacheHints() {}

    public static ObjectNode ofCatalogue(ObjectNode result, ProtocolRevision revision) {
        return with(result, revision, CATALOGUE);
    }

    /**
     * What a server says that gives no hint of its own may be something else the next time; an
     * agent may keep it for no time at all.
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
