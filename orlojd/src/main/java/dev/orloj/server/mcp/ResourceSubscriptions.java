package dev.orloj.server.mcp;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Which resources the sessions of this replica have subscribed to, until they end. Thread-safe.
 * Sessions of revision 2026-07-28 say so when they begin to listen, and are not here.
 */
final class ResourceSubscriptions {

    /** An agent that wants more of them has lost count. */
    private static final int MOST_OF_A_SESSION = 10_000;

    private record Entry(String scope, Set<String> uris) {}

    private final ConcurrentMap<String, Entry> bySession = new ConcurrentHashMap<>();

    /**
     * @throws ProtocolError when the session has too many
     */
    void add(ClientSession session, String uri) {
        Set<String> uris =
                bySession
                        .computeIfAbsent(
                                session.id(),
                                _ -> new Entry(session.scope(), ConcurrentHashMap.newKeySet()))
                        .uris();
        if (uris.size() >= MOST_OF_A_SESSION) {
            throw ProtocolError.invalidParams(
                    "A session may subscribe to %d resources".formatted(MOST_OF_A_SESSION));
        }
        uris.add(uri);
    }

    void remove(ClientSession session, String uri) {
        Optional.ofNullable(bySession.get(session.id())).ifPresent(e -> e.uris().remove(uri));
    }

    void end(ClientSession session) {
        bySession.remove(session.id());
    }

    boolean isSubscribed(String session, String uri) {
        Entry entry = bySession.get(session);
        return entry != null && entry.uris().contains(uri);
    }

    /** Whether any session of an endpoint has subscribed to it. */
    boolean isWanted(Scope scope, String uri) {
        return bySession.values().stream()
                .anyMatch(
                        entry ->
                                entry.scope().equals(scope.toString())
                                        && entry.uris().contains(uri));
    }
}
