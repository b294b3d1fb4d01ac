package dev.orloj.server.mcp.protocol;

import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.transport.ProtocolRevision;

import java.time.Instant;

/**
 * Holds what {@code initialize} negotiated with one client. A session has no other state, and the
 * client sends it with each request, so that any replica can serve it.
 *
 * @param id unique among all sessions
 * @param scope of the endpoint at which it was opened
 * @param caller the user who opened it, the only one who may use it
 * @param capabilities that the client declared
 * @param hadRights whether the caller is a user who could use something of the endpoint; the
 *     session ends when that is no longer so
 */
public record ClientSession(
        String id,
        ProtocolRevision revision,
        String scope,
        Instant openedAt,
        String caller,
        ClientCapabilities capabilities,
        boolean hadRights) {

    /** Creates a session of a client of the port that does not authenticate. */
    public ClientSession(
            String id,
            ProtocolRevision revision,
            String scope,
            Instant openedAt,
            String caller,
            ClientCapabilities capabilities) {
        this(id, revision, scope, openedAt, caller, capabilities, false);
    }

    public ClientSession withId(String other) {
        return new ClientSession(other, revision, scope, openedAt, caller, capabilities, hadRights);
    }
}
