package dev.orloj.server.mcp.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Remembers the ids of sessions that clients have ended at this replica, up to a limit. A forgotten
 * one does no harm: the client only expects an error for it. Thread-safe.
 */
final class EndedSessions {

    private static final int MOST = 10_000;

    @GuardedBy("this")
    private final Set<String> ids = new LinkedHashSet<>();

    synchronized void add(String id) {
        ids.add(id);
        if (ids.size() > MOST) {
            ids.remove(ids.iterator().next());
        }
    }

    synchronized boolean contains(String id) {
        return ids.contains(id);
    }
}
