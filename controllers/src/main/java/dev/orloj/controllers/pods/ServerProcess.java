package dev.orloj.controllers.pods;

import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.workload.ContainerRef;
import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.ProcessUser;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Optional;

/**
 * A process that serves a session, running or ended.
 *
 * @param restarts how many processes in a row before it ended by themselves
 * @param before how the latest of them ended
 * @param end absent while it runs
 * @param container that it runs in; empty for a process of the host
 * @param user the account of a process of the host; empty for that of orlojd
 */
record ServerProcess(
        String sessionId,
        Instant startedAt,
        int restarts,
        @Nullable ServerProcess before,
        @Nullable End end,
        Optional<ContainerRef> container,
        Optional<ProcessUser> user) {

    /**
     * @param failure whether the process ended by itself
     */
    record End(Instant at, Optional<ExitStatus> exit, String cause, boolean failure) {}

    /** Returns the process of a session, given the process before it, if there was one. */
    static ServerProcess of(SessionInfo session, @Nullable ServerProcess before) {
        if (before == null || before.end == null || !before.end.failure()) {
            return new ServerProcess(
                    session.id(),
                    startedAt(session),
                    0,
                    null,
                    null,
                    session.container(),
                    session.user());
        }
        ServerProcess failed =
                new ServerProcess(
                        before.sessionId,
                        before.startedAt,
                        0,
                        null,
                        before.end,
                        before.container,
                        before.user);
        return new ServerProcess(
                session.id(),
                session.startedAt(),
                before.restarts + 1,
                failed,
                null,
                session.container(),
                session.user());
    }

    /** A process that the session adopted started before it. */
    private static Instant startedAt(SessionInfo session) {
        return session.container().flatMap(ContainerRef::adoptedFrom).orElse(session.startedAt());
    }

    boolean isLive() {
        return end == null;
    }

    ServerProcess ended(End how) {
        return new ServerProcess(sessionId, startedAt, restarts, before, how, container, user);
    }
}
