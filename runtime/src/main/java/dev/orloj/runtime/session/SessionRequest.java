package dev.orloj.runtime.session;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;

/**
 * A request to a server on behalf of somebody else.
 *
 * @param params sent as they are, but for the {@code progressToken} in their {@code _meta}, which
 *     is the session's own
 */
public record SessionRequest(
        String method, ObjectNode params, Duration timeout, ProgressListener progress) {

    /** Params may be secret. */
    @Override
    public String toString() {
        return "SessionRequest[" + method + "]";
    }
}
