package dev.orloj.server.mcp.resumption;

import java.time.Duration;

/**
 * Limits what is recorded for clients that may resume.
 *
 * @param events of one session, over its streams
 * @param bytes of one session
 * @param allBytes of all sessions
 * @param age of an event, and of a stream without a connection
 */
public record RecordingLimits(int events, long bytes, long allBytes, Duration age) {

    private static final long MIB = 1024 * 1024;

    public static final RecordingLimits DEFAULT =
            new RecordingLimits(1_000, 4 * MIB, 32 * MIB, Duration.ofMinutes(5));
}
