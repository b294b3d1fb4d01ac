package dev.orloj.server.mcp.protocol;

import dev.orloj.runtime.subject.SubjectToken;
import dev.orloj.runtime.transport.http.HeaderValue;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.authentication.CallerToken;
import dev.orloj.server.authorization.Rights;

import jakarta.servlet.http.HttpServletRequest;

import java.util.Optional;

/** Reads the MCP headers of a request and decodes encoded ones. */
public record RequestHeaders(HttpServletRequest request) {

    public static final String SESSION_ID = "Mcp-Session-Id";
    static final String PROTOCOL_VERSION = "MCP-Protocol-Version";
    public static final String LAST_EVENT_ID = "Last-Event-ID";
    static final String METHOD = "Mcp-Method";
    static final String NAME = "Mcp-Name";

    private static final String PARAMETER_PREFIX = "Mcp-Param-";

    /** Returns the name of the user, or the one of all users where they are not known. */
    public String caller() {
        return AuthenticationGuard.caller(request);
    }

    /** Returns the name of the user; empty where users are not known. */
    public String user() {
        return AuthenticationGuard.userName(request);
    }

    /** Returns the token of that user for an exchange. Empty without one. */
    public Optional<SubjectToken> subjectToken() {
        return CallerToken.of(request);
    }

    /** Returns what that user may see and use. */
    public Rights rights() {
        return Rights.of(request);
    }

    public Optional<String> sessionId() {
        return Optional.ofNullable(request.getHeader(SESSION_ID));
    }

    public Optional<String> protocolVersion() {
        return Optional.ofNullable(request.getHeader(PROTOCOL_VERSION));
    }

    /** Returns the event after which to resume a stream. */
    public Optional<String> lastEventId() {
        return Optional.ofNullable(request.getHeader(LAST_EVENT_ID));
    }

    Optional<String> method() {
        return Optional.ofNullable(request.getHeader(METHOD));
    }

    /**
     * @throws ProtocolError when it is not encoded correctly
     */
    Optional<String> name() {
        return decoded(NAME);
    }

    /**
     * @throws ProtocolError when it is not encoded correctly
     */
    public Optional<String> parameter(String name) {
        return decoded(PARAMETER_PREFIX + name);
    }

    private Optional<String> decoded(String header) {
        return Optional.ofNullable(request.getHeader(header)).map(text -> decode(header, text));
    }

    private static String decode(String header, String text) {
        try {
            return HeaderValue.decode(text);
        } catch (IllegalArgumentException e) {
            throw ProtocolError.headerMismatch(
                    "\"%s\" must be plain ASCII, or UTF-8 as =?base64?...?=: %s"
                            .formatted(header, e.getMessage()));
        }
    }
}
