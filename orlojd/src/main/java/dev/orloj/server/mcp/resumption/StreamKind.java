package dev.orloj.server.mcp.resumption;

/** The HTTP method with which a client opened a stream. */
public enum StreamKind {
    /** The response to one request; the stream ends with it. */
    POST,

    /** Unsolicited messages of a session. */
    GET
}
