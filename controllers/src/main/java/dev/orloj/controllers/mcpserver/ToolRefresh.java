package dev.orloj.controllers.mcpserver;

import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.PolicyAction;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.control.RetryException;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.mcpserver.definition.McpServerView;
import dev.orloj.controllers.mcpserver.definition.Resolution;
import dev.orloj.controllers.mcpserver.tools.ToolListings;
import dev.orloj.runtime.code.CodeInspection;
import dev.orloj.runtime.listing.ToolListing;
import dev.orloj.runtime.session.Session;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Lists the tools of servers with an open session, and updates their Tools. */
final class ToolRefresh {

    static final Duration QUICK = SessionJournal.QUICK;

    private final SessionJournal journal;
    private final ToolListings listings;
    private final StatusWriter status;
    private final ToolSync toolSync;
    private final InstantSource clock;

    ToolRefresh(
            SessionJournal journal,
            ToolListings listings,
            StatusWriter status,
            ToolSync toolSync,
            InstantSource clock) {
        this.journal = journal;
        this.listings = listings;
        this.status = status;
        this.toolSync = toolSync;
        this.clock = clock;
    }

    /**
     * Serves definitions that were approved since the last listing, and withdraws those that were
     * rejected.
     *
     * @return whether anything was written; the change enqueues the server
     */
    boolean review(McpServerView view) throws InterruptedException {
        return toolSync.review(view);
    }

    /**
     * Returns why the server gets no session: the policy does not serve what runs. A restart that
     * was asked for, and a manifest that names something else, open one to look again.
     *
     * @param notOpened the latest failure to open one
     */
    Optional<ObservedState.Withheld> withheld(
            McpServerView view,
            Resolution.Resolved resolved,
            Optional<SessionJournal.NotOpened> notOpened) {
        McpServer server = view.server();
        boolean isHeld = notOpened.filter(SessionJournal.NotOpened::isHeld).isPresent();
        if (!isHeld && !server.restartedAt().equals(server.status().observedRestart())) {
            return Optional.empty();
        }
        return toolSync.heldCode(view, CodeInspection.named(resolved.definition().address()))
                .map(held -> withheld(server, held));
    }

    private static ObservedState.Withheld withheld(McpServer server, HeldDefinition held) {
        String why =
                "The policy does not serve what runs "
                        + held.messageOfRuns(server.metadata().name());
        return new ObservedState.Withheld(
                ConditionMessage.of(why), held.action() == PolicyAction.QUARANTINE);
    }

    /** Handles a server with an open session: lists its tools when a listing is due. */
    Result refresh(McpServerView view, Session session) throws InterruptedException {
        McpServer server = view.server();
        Instant now = clock.instant();
        long changes = journal.changes(server.key());
        long generation = server.metadata().generation();
        ToolListings.Entry asked = listings.find(server.key(), session);
        Instant due = listings.due(server.key(), asked, changes);
        return switch (asked.state()) {
            case ToolListings.State.Running(Instant since) -> awaitListing(server, session, since);
            case ToolListings.State.Done(ToolListing done) -> use(server, view, asked, done);
            case ToolListings.State.Used _
                    when due.isAfter(now) && KnownStatus.isSettled(server) -> {
                status.write(server, new ObservedState.Open(session.identity()));
                yield Result.requeueAfter(Duration.between(now, due));
            }
            case ToolListings.State.Used _
                    when due.isAfter(now)
                            && asked.generation() == generation
                            && KnownStatus.isLoop(server) ->
                    Result.requeueAfter(Duration.between(now, due));
            case ToolListings.State.Failed failed
                    when asked.generation() == generation
                            && ToolListings.retryAt(asked, failed, changes).isAfter(now) -> {
                if (!(failed.cause() instanceof RetryException)) { // the status has it
                    toolSync.notListed(server, view, session, failed.cause());
                }
                Instant retryAt = ToolListings.retryAt(asked, failed, changes);
                yield Result.requeueAfter(Duration.between(now, retryAt));
            }
            case ToolListings.State.NotAsked _ when due.isAfter(now) ->
                    Result.requeueAfter(Duration.between(now, due));
            case ToolListings.State.NotAsked _,
                    ToolListings.State.Used _,
                    ToolListings.State.Failed _ -> {
                journal.listing(server.key(), changes);
                listings.start(server, session, changes);
                yield Result.requeueAfter(QUICK);
            }
        };
    }

    /**
     * Waits before it writes that a listing runs. A server that responds quickly is Ready before
     * anyone could read that status.
     */
    private Result awaitListing(McpServer server, Session session, Instant since) {
        Duration left = Duration.between(clock.instant(), since.plus(QUICK));
        if (left.isPositive()) {
            return Result.requeueAfter(left);
        }
        if (!KnownStatus.isSettled(server) && !KnownStatus.isListingFailed(server)) {
            status.write(server, new ObservedState.Listing(session.identity(), since));
        }
        return Result.requeueAfter(McpServerReconciler.LOOK_AGAIN);
    }

    private Result use(
            McpServer server, McpServerView view, ToolListings.Entry asked, ToolListing listing)
            throws InterruptedException {
        Instant until;
        try {
            if (!toolSync.sync(server, view, asked.session(), listing)) {
                // The server was deleted or changed, and that event enqueues it again.
                return Result.DONE;
            }
            until = listings.used(server.key(), asked);
            if (journal.changes(server.key()) != asked.changes()) {
                until = clock.instant(); // the change was announced during the listing
            }
        } catch (RetryException e) {
            until = listings.refused(server.key(), asked, e);
        }
        Duration wait = Duration.between(clock.instant(), until);
        return Result.requeueAfter(wait.isNegative() ? Duration.ZERO : wait);
    }
}
