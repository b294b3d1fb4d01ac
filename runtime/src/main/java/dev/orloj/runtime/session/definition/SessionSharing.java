package dev.orloj.runtime.session.definition;

import dev.orloj.runtime.isolation.Isolation;

/**
 * How many sessions a server has, and who shares them.
 *
 * @param maxSessions maximum number of concurrent sessions, each with one call at a time as long as
 *     there are enough
 * @param singleton whether the server allows only one session at a time: across all replicas, and
 *     even while one session replaces another
 * @param isolation which clients share a session
 */
public record SessionSharing(int maxSessions, boolean singleton, Isolation isolation) {

    /** One session for all clients of a replica. */
    public static final SessionSharing ONE = new SessionSharing(1, false, Isolation.NONE);

    public SessionSharing {
        if (maxSessions < 1) {
            throw new IllegalArgumentException("Sessions must be at least 1: " + maxSessions);
        }
        if (singleton && maxSessions > 1) {
            throw new IllegalArgumentException("A singleton has 1 session, not " + maxSessions);
        }
    }
}
