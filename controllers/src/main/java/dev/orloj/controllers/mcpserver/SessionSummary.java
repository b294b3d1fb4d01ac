package dev.orloj.controllers.mcpserver;

import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.controllers.events.ConditionMessage;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What the status of a server tells of its sessions: nothing that comes and goes with every call,
 * so that it is written when a session has failed and at no other time. Safe for many threads.
 */
final class SessionSummary {

    private final McpServerCaches caches;
    private final SessionJournal journal;
    private final String replica;

    /**
     * @param replica who tells
     */
    SessionSummary(McpServerCaches caches, SessionJournal journal, String replica) {
        this.caches = caches;
        this.journal = journal;
        this.replica = replica;
    }

    /** What another replica told stays, until there is something to tell here. */
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
