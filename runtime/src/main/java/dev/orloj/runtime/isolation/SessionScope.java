package dev.orloj.runtime.isolation;

/** Who shares a session with a server. */
public enum SessionScope {
    /**
     * All clients, until the server is found to say something of which nothing tells whom it
     * concerns; then each client has sessions of its own.
     */
    DETECTED,

    /** All clients, whatever the server says. */
    SHARED,

    /** The calls of one client. */
    AGENT,

    /** The calls of one client, one at a time. */
    CALL
}
