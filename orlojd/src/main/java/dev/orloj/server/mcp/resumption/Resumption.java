package dev.orloj.server.mcp.resumption;

/**
 * How the streams of one session are resumed.
 *
 * @param session its id
 * @param primes whether a stream begins with an event without a message, which the session's
 *     revision expects
 */
public record Resumption(RecordedStreams streams, String session, boolean primes) {

    /** How long a client waits before it connects again. */
    public static final long RETRY_MILLIS = 1_000;

    /**
     * A new stream.
     *
     * @param connection that carries it
     * @param abandoned run when that is lost and no client has come back in time
     */
    public RecordedStream open(StreamKind kind, Object connection, Runnable abandoned) {
        return streams.open(session, kind, connection, abandoned);
    }
}
