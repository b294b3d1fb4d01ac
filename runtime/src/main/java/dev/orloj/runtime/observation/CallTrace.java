package dev.orloj.runtime.observation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The timing and the sizes of one call, without arguments and results.
 *
 * @param steps the phases of the call, in order; their sum is the duration of the call
 * @param peer the session that responded, or was to respond; empty when the call reached no session
 * @param bytesOut size of the messages sent to the server
 * @param bytesIn size of the messages received from the server
 */
public record CallTrace(List<Step> steps, Optional<Peer> peer, long bytesOut, long bytesIn) {

    /** A phase of a call. */
    public enum Phase {
        /** Looks up the tool and checks the arguments. */
        CHECK,
        /** Waits for other calls of the server, within its limits. */
        QUEUE,
        /** Acquires a session, which may have to be opened. */
        OPENING,
        /** Waits for the response of the server. */
        UPSTREAM,
        /** Waits for the replica that owns the session. */
        FORWARDING,
        /** Shortens and keeps a result that is too long. */
        RESULT
    }

    /**
     * The time in one phase. A phase that the call entered several times counts as one.
     *
     * @param took without the other phases
     */
    public record Step(Phase phase, Duration took) {}

    /**
     * The session that handled the call.
     *
     * @param pid pid of a process on this host
     * @param protocolVersion the MCP revision of the session
     */
    public record Peer(String session, Optional<Long> pid, String protocolVersion) {}

    public CallTrace {
        steps = List.copyOf(steps);
    }

    /** Returns the duration of the whole call. */
    public Duration duration() {
        return Duration.ofNanos(steps.stream().mapToLong(step -> step.took().toNanos()).sum());
    }
}
