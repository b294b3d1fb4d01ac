package dev.orloj.runtime.trace;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What became of the time of one call, and what it carried. Sizes only: no arguments, no result.
 *
 * @param steps those that the call came to, in order; together they are the whole call
 * @param peer who answered, or was to; empty when the call came to no session
 * @param bytesOut of the messages that were sent to the server
 * @param bytesIn of the messages that it answered with
 */
public record CallTrace(List<Step> steps, Optional<Peer> peer, long bytesOut, long bytesIn) {

    /** What a call is about at a moment. */
    public enum Phase {
        /** Finding the tool and checking the arguments. */
        CHECK,
        /** Waiting for other calls of the server, as its limits have it. */
        QUEUE,
        /** Getting a session, which may have to be opened. */
        OPENING,
        /** Waiting for the answer of the server. */
        UPSTREAM,
        /** Waiting for the replica that has the session. */
        FORWARDING,
        /** Cutting and keeping a result that is too long. */
        RESULT
    }

    /**
     * The time in one phase. A phase that the call came back to counts as one.
     *
     * @param took without the other phases
     */
    public record Step(Phase phase, Duration took) {}

    /**
     * The session that took the call.
     *
     * @param pid of a process on this host
     * @param protocolVersion the MCP revision that it speaks
     */
    public record Peer(String session, Optional<Long> pid, String protocolVersion) {}

    public CallTrace {
        steps = List.copyOf(steps);
    }

    /** Of the whole call. */
    public Duration duration() {
        return Duration.ofNanos(steps.stream().mapToLong(step -> step.took().toNanos()).sum());
    }
}
