package dev.orloj.server.mcp.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.client.LogLevel;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.ProtocolError;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers the log levels that clients have set for their sessions at this replica, up to a limit:
 * a client whose level is forgotten gets what its servers log. Thread-safe.
 */
public final class SessionLogLevels {

    private static final int MOST = 10_000;

    @GuardedBy("this")
    private final Map<String, LogLevel> bySession = new LinkedHashMap<>();

    public synchronized void set(ClientSession session, LogLevel level) {
        bySession.remove(session.id());
        bySession.put(session.id(), level);
        if (bySession.size() > MOST) {
            bySession.remove(bySession.keySet().iterator().next());
        }
    }

    /**
     * The level of the session or, without sessions, of the request.
     *
     * @throws ProtocolError when the request names an unknown level
     */
    public Optional<LogLevel> of(ClientRequest request) {
        return request.session().map(this::of).orElseGet(request::logLevel);
    }

    private synchronized Optional<LogLevel> of(ClientSession session) {
        return Optional.ofNullable(bySession.get(session.id()));
    }

    /** Whether the level of a session admits a log message that is not for one request. */
    public synchronized boolean admit(String session, JsonNode params) {
        LogLevel level = bySession.get(session);
        return level == null || level.admits(params);
    }

    public synchronized void end(ClientSession session) {
        bySession.remove(session.id());
    }
}
