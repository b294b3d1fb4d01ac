package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.session.lifecycle.SessionState;
import dev.orloj.runtime.workload.ContainerRef;
import dev.orloj.runtime.workload.ExitStatus;

import java.time.Instant;
import java.util.Optional;

/**
 * A snapshot of a session for people and metrics.
 *
 * @param state name of the {@link SessionState}
 * @param protocolVersion empty until it is negotiated
 * @param lastUsedAt begin or end of the latest tool call, or the opening
 * @param inFlight requests without an answer
 * @param calls tool calls so far, those in flight included
 * @param errors tool calls without a result; a result with {@code isError} is none
 * @param noiseLines lines on stdout that were no message
 * @param exit how its process ended; empty while it runs, and without a process
 * @param container that its process runs in; empty for a process of this host
 * @param ownedByClient whether it was opened for one client, beside the shared one
 */
public record SessionInfo(
        String id,
        ResourceKey server,
        SessionKey key,
        String state,
        String protocolVersion,
        Optional<Long> pid,
        Instant startedAt,
        Instant lastUsedAt,
        int inFlight,
        long calls,
        long errors,
        long noiseLines,
        Optional<ExitStatus> exit,
        Optional<ContainerRef> container,
        boolean ownedByClient) {

    /** The generation of the manifest that the session follows. */
    public long generation() {
        return key.generation();
    }
}
