package dev.orloj.runtime.isolation;

/** Which clients share a session with a server. */
public enum SessionScope {
    /**
     * All clients, until the server sends a message without a known recipient; from then on, each
     * client has its own sessions.
     */
    DETECTED,

    /** All clients, regardless of the server's messages. */
    SHARED,

    /** The calls of one client. */
    AGENT,

    /** The calls of one client, one at a time. */
    CALL
}
