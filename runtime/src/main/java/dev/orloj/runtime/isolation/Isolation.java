package dev.orloj.runtime.isolation;

/**
 * The isolation of the clients of a server.
 *
 * @param most maximum number of concurrent sessions for isolated clients; with 1, no client has its
 *     own session unless the scope is set explicitly
 */
public record Isolation(SessionScope scope, int most) {

    /** All clients share one session. */
    public static final Isolation NONE = new Isolation(SessionScope.SHARED, 1);

    public Isolation {
        if (most < 1) {
            throw new IllegalArgumentException("Sessions must be at least 1: " + most);
        }
    }

    /** Returns whether all clients share sessions, whatever the server sends. */
    public boolean isShared() {
        return scope == SessionScope.SHARED || (scope == SessionScope.DETECTED && most == 1);
    }

    /** Returns whether a message without a known recipient must not be delivered to any client. */
    public boolean isStrict() {
        return scope != SessionScope.SHARED;
    }
}
