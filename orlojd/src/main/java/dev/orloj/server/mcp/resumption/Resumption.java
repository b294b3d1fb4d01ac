package dev.orloj.server.mcp.resumption;

/**
 * Provides resumable streams to one session.
 *
 * @param session its id
 * @param primes whether a stream starts with an event without a message, as the session's revision
 *     requires
 */
public record Resumption(RecordedStreams streams, String session, boolean primes) {

    /** How long a client waits before it reconnects. */
    public static final long RETRY_MILLIS = 1_000;

    /**
     * Opens a stream.
     *
     * @param connection carries the stream
     * @param abandoned run when the connection is lost and no client resumes the stream in time
     */
    public RecordedStream open(StreamKind kind, Object connection, Runnable abandoned) {
        return streams.open(session, kind, connection, abandoned);
    }
}
