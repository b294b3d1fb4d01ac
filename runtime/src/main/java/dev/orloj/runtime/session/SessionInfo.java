package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.session.lifecycle.SessionState;
import dev.orloj.runtime.workload.ContainerRef;
import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.ProcessUser;

import java.time.Instant;
import java.util.Optional;

/**
 * A snapshot of a session for status and metrics.
 *
 * @param protocolVersion empty until it is negotiated
 * @param lastUsedAt start or end of the latest tool call, or the opening
 * @param inFlight number of requests without a response
 * @param calls number of tool calls, including those in flight
 * @param errors number of tool calls without a result; a result with {@code isError} does not count
 * @param noiseLines number of lines on stdout that were not messages
 * @param exit how its process ended; empty while it runs, and without a process
 * @param obeyedEof whether it ended when its stdin was closed; empty until then
 * @param container the container of its process; empty for a process of this host
 * @param user the account of its process on this host; empty for that of orlojd
 * @param ownedByClient whether it was opened for one client, in addition to the shared session
 */
public record SessionInfo(
        String id,
        ResourceKey server,
        SessionKey key,
        SessionState.Name state,
        String protocolVersion,
        Optional<Long> pid,
        Instant startedAt,
        Instant lastUsedAt,
        int inFlight,
        long calls,
        long errors,
        long noiseLines,
        Optional<ExitStatus> exit,
        Optional<Boolean> obeyedEof,
        Optional<ContainerRef> container,
        Optional<ProcessUser> user,
        boolean ownedByClient) {

    /** Returns whether the session has failed or is closed, which may not be reported yet. */
    public boolean isOver() {
        return state.isOver();
    }

    /** Returns the generation of the manifest that the session applies. */
    public long generation() {
        return key.generation();
    }
}
