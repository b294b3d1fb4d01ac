package dev.orloj.server.mcp.resumption;

/** The request that a stream was opened with. */
public enum StreamKind {
    /** The answer to one request; it ends with the response. */
    POST,

    /** What a session is told unasked. */
    GET
}
