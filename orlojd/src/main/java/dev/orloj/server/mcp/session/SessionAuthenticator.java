package dev.orloj.server.mcp.session;

import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.RequestHeaders;

/**
 * Finds and verifies the session of a request, in the revisions that have sessions. Thread-safe.
 */
public final class SessionAuthenticator {

    private final SessionTokens tokens;
    private final EndedSessions ended = new EndedSessions();

    public SessionAuthenticator(SessionTokens tokens) {
        this.tokens = tokens;
    }

    public String sign(ClientSession session) {
        return tokens.sign(session);
    }

    /**
     * The session of a request.
     *
     * @throws ProtocolError when the request names none (400), or one that is not valid, or no
     *     longer valid, at this endpoint, or one of another user (404), upon which a client opens
     *     another
     */
    public ClientSession require(EndpointScope scope, RequestHeaders headers) {
        String token =
                headers.sessionId()
                        .orElseThrow(
                                () ->
                                        ProtocolError.invalidRequest(
                                                400,
                                                "\"%s\" is missing: begin with \"initialize\", or speak %s"
                                                        .formatted(
                                                                RequestHeaders.SESSION_ID,
                                                                ProtocolRevision.V2026_07_28
                                                                        .version())));
        ClientSession session =
                tokens.verify(token)
                        .filter(known -> known.scope().equals(scope.toString()))
                        .filter(known -> known.caller().equals(headers.caller()))
                        .filter(known -> !ended.contains(known.id()))
                        .orElseThrow(SessionAuthenticator::over);
        String version = headers.protocolVersion().orElse(session.revision().version());
        if (ProtocolRevision.of(version).isEmpty()) {
            throw ProtocolError.unsupportedVersion(version);
        }
        return session;
    }

    /** A client that gets this opens another session. */
    public static ProtocolError over() {
        return ProtocolError.invalidRequest(
                404, "The session is over, or was never opened here: begin with \"initialize\"");
    }

    public void end(ClientSession session) {
        ended.add(session.id());
    }
}
