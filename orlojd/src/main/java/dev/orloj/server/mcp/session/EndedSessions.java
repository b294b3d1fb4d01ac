package dev.orloj.server.mcp.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Ids of sessions that agents have ended at this replica, as many as are worth remembering: an
 * ended session harms nobody, its agent only wants to be told so. Thread-safe.
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
