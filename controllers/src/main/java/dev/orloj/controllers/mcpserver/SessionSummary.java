package dev.orloj.controllers.mcpserver;

import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.controllers.events.ConditionMessage;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Summarizes the sessions of a server for its status. The summary changes only when a session
 * fails, so calls do not cause status writes. Thread-safe.
 */
final class SessionSummary {

    private final McpServerCaches caches;
    private final SessionJournal journal;
    private final String replica;

    /**
     * @param replica the replica that writes the summary
     */
    SessionSummary(McpServerCaches caches, SessionJournal journal, String replica) {
        this.caches = caches;
        this.journal = journal;
        this.replica = replica;
    }

    /** Keeps the summary of another replica until this replica has one. */
    McpServerStatus.@Nullable Sessions of(McpServer server) {
        return journal.failures(server.key())
                .map(failures -> withFailures(server, failures))
                .orElse(server.status().sessions());
    }

    private McpServerStatus.Sessions withFailures(
            McpServer server, SessionJournal.Failures failures) {
        String cause = ConditionMessage.of(caches.view(server).withoutSecrets(failures.cause()));
        return new McpServerStatus.Sessions(
                replica,
                failures.count(),
                inSeconds(journal.since()),
                new McpServerStatus.Failure(inSeconds(failures.latest()), cause));
    }

    private static Instant inSeconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }
}
