package dev.orloj.controllers.mcpserver;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.ToolApprovals;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.controllers.container.ContainerStatus;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.events.EventRecorder;
import dev.orloj.controllers.events.Note;
import dev.orloj.controllers.login.LoginRevocations;
import dev.orloj.controllers.login.UserLogins.Logout;
import dev.orloj.controllers.mcpserver.definition.McpServerView;
import dev.orloj.controllers.mcpserver.definition.Resolution;
import dev.orloj.controllers.mcpserver.tools.ToolListings;
import dev.orloj.controllers.mcpserver.tools.ToolPlan;
import dev.orloj.controllers.program.ServerOutput;
import dev.orloj.runtime.listing.ServerList;
import dev.orloj.runtime.session.FailedOpening;
import dev.orloj.runtime.session.Session;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.SessionOpenException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.workload.LogBuffer;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reconciles one McpServer with its manifest: opens a session if one is needed, keeps one Tool for
 * each tool, and cleans up when the server is deleted. Every reconcile takes a {@link
 * McpServerView}, computes a {@link ToolPlan} and a {@link ServerStatus}, and writes the
 * difference.
 *
 * <p>A server needs a session if it is always on, if the tools of its generation are not listed
 * yet, or if its session died. The reconciler opens no session for any other server; only a call
 * does.
 */
final class McpServerReconciler implements Reconciler {

    /** The reason that Kubernetes uses for the same event. */
    private static final String INVALID_NAMES = "InvalidEnvironmentVariableNames";

    /** A safety interval. Normally the work in progress enqueues its server when it ends. */
    static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

    private final ResourceClient client;
    private final McpServerCaches caches;
    private final SessionManager sessions;
    private final SessionJournal journal;
    private final ContainerStatus containers;
    private final ToolListings listings;
    private final LoginRevocations revocations;
    private final EventRecorder events;
    private final StatusWriter status;
    private final ToolRefresh tools;
    private final ScaledServers scaled;
    private final InstantSource clock;

    McpServerReconciler(
            ResourceClient client,
            McpServerCaches caches,
            SessionManager sessions,
            SessionJournal journal,
            ContainerStatus containers,
            ToolListings listings,
            LoginRevocations revocations,
            ToolApprovals approvals,
            InstantSource clock,
            String replica) {
        this.client = client;
        this.caches = caches;
        this.sessions = sessions;
        this.journal = journal;
        this.containers = containers;
        this.listings = listings;
        this.revocations = revocations;
        this.events = new EventRecorder(client, clock, "mcpserver-controller");
        this.status =
                new StatusWriter(
                        client,
                        events,
                        clock,
                        caches,
                        new SessionSummary(caches, journal, replica),
                        containers,
                        journal.reports());
        this.tools =
                new ToolRefresh(
                        journal,
                        listings,
                        status,
                        new ToolSync(client, status, events, journal.reports(), approvals, caches),
                        clock);
        this.scaled = new ScaledServers(sessions.scaling(), status);
        this.clock = clock;
    }

    @Override
    public Result reconcile(ResourceKey key) throws InterruptedException {
        Optional<McpServer> found = caches.find(key);
        if (found.isEmpty()) {
            revocations.forget(key);
            return forget(key);
        }
        McpServer server = found.get();
        if (server.metadata().isDeleting()) {
            return tearDown(server);
        }
        if (!server.metadata().finalizers().contains(McpServer.FINALIZER)) {
            // Servers have it from their creation, but not those of older versions.
            ObjectMeta metadata = server.metadata().withFinalizer(McpServer.FINALIZER);
            server = client.update(McpServer.KIND, server.withMetadata(metadata));
        }
        McpServerView view = caches.view(server);
        return switch (view.resolution()) {
            case Resolution.Refused(String reason, String message) ->
                    rest(server, new ObservedState.Refused(reason, message));
            case Resolution.Suspended(String why) -> rest(server, new ObservedState.Suspended(why));
            case Resolution.Resolved resolved -> keep(view, resolved);
        };
    }

    /**
     * Writes the status and closes the session. The server stays without one until something
     * changes.
     */
    private Result rest(McpServer server, ObservedState observedState) {
        status.write(server, observedState);
        sessions.dismiss(server.key());
        listings.forget(server.key());
        return Result.DONE;
    }

    /**
     * Drops the state of a server whose cleanup is done or whose finalizer was removed by another
     * party. The cache may hold the server a while longer: until it does not, its revocation is not
     * forgotten, so that no token is revoked twice.
     */
    private Result forget(ResourceKey key) {
        sessions.dismiss(key);
        listings.forget(key);
        journal.forget(key);
        containers.forget(key);
        return Result.DONE;
    }

    /**
     * Closes the sessions and revokes the tokens of its login, then deletes the Tools and removes
     * the finalizer. Processes can take long to end: the journal enqueues the server when they have
     * ended.
     */
    private Result tearDown(McpServer server) throws InterruptedException {
        if (!server.metadata().finalizers().contains(McpServer.FINALIZER)) {
            return forget(server.key());
        }
        McpServer leaving = status.write(server, new ObservedState.Leaving());
        sessions.dismiss(server.key());
        Optional<Logout> logout = revocations.outcome(server);
        if (!sessions.isGone(server.key())) {
            return Result.requeueAfter(LOOK_AGAIN);
        }
        if (logout.isEmpty()) {
            return Result.requeueAfter(LoginRevocations.MAX_WAIT);
        }
        EventMessages.notRevoked(logout.get()).ifPresent(note -> events.record(server, note));
        scaled.delete(server);
        int deleted = ToolDeletions.writeAll(client, server, caches.view(server).tools());
        client.update(
                McpServer.KIND,
                leaving.withMetadata(leaving.metadata().withoutFinalizer(McpServer.FINALIZER)));
        events.record(
                server, Note.normal("Deleted", "Sessions closed and Tools deleted: " + deleted));
        return forget(server.key());
    }

    /** Closes the sessions and deletes the Tools, until a user decides. */
    private Result withhold(McpServerView view, ObservedState.Withheld why)
            throws InterruptedException {
        Result result = rest(view.server(), why);
        ToolDeletions.write(client, view.server(), view.tools());
        return result;
    }

    private Result keep(McpServerView view, Resolution.Resolved resolved)
            throws InterruptedException {
        ServerDefinition definition = resolved.definition();
        // Read before the journal, which has the failure of an opening before the opening is over.
        Optional<Instant> since = sessions.openingSince(definition);
        Optional<ObservedState.Withheld> withheld =
                tools.withheld(view, resolved, notOpened(resolved));
        if (withheld.isPresent()) {
            return withhold(view, withheld.get());
        }
        if (KnownStatus.isSettled(view.server()) && tools.review(view)) {
            return Result.DONE;
        }
        Optional<Session> live = sessions.liveSession(definition.server());
        if (live.isEmpty() && since.isEmpty() && isEnding(definition)) {
            return Result.requeueAfter(LOOK_AGAIN); // how it ended decides what is next
        }
        Optional<SessionJournal.Ending> ending =
                journal.ending(definition.server()).filter(e -> e.key().equals(definition.key()));
        Optional<Session> announcer =
                sessions.announcingSession(definition.server(), ServerList.TOOLS)
                        .filter(session -> session.key().equals(definition.key()));
        if (live.isPresent() && live.get().key().equals(definition.key())) {
            return tools.refresh(view, announcer.orElse(live.get()));
        }
        if (live.isEmpty() && mayStayAsleep(view, ending)) {
            if (announcer.isPresent()) {
                return tools.refresh(view, announcer.get());
            }
            listings.release(definition.server());
            return scaled.rest(view.server(), resolved, ending);
        }
        Optional<SessionJournal.Ending> death =
                live.isPresent() ? Optional.empty() : ending.filter(SessionJournal.Ending::failure);
        if (since.isEmpty()) {
            Optional<SessionJournal.NotOpened> failed = notOpened(resolved);
            Optional<Result> wait = backOff(view.server(), resolved, failed, death);
            if (wait.isPresent()) {
                return wait.get();
            }
            Optional<FailedOpening> other =
                    sessions.start(definition, failed.flatMap(SessionJournal.NotOpened::failure));
            if (other.isPresent()) { // a call has tried in the meantime
                return Result.requeueAfter(other.get().retryAfter());
            }
            resolved.notes()
                    .forEach(
                            note ->
                                    events.record(
                                            view.server(), Note.warning(INVALID_NAMES, note)));
        }
        return announce(view.server(), resolved, death, since.orElseGet(clock::instant));
    }

    /** Returns whether a session has ended whose end the journal may not have yet. */
    private boolean isEnding(ServerDefinition definition) {
        return sessions.sessions(definition.server()).stream()
                .filter(session -> !session.ownedByClient() && session.isOver())
                .anyMatch(session -> session.key().equals(definition.key()));
    }

    /**
     * Writes why there is no session and when the next one opens. Returns empty if it may open now.
     * Only a change of the session's definition shortens the wait.
     */
    private Optional<Result> backOff(
            McpServer server,
            Resolution.Resolved resolved,
            Optional<SessionJournal.NotOpened> notOpened,
            Optional<SessionJournal.Ending> death) {
        Instant now = clock.instant();
        Optional<SessionJournal.NotOpened> failed =
                notOpened.filter(SessionJournal.NotOpened::isToWait);
        if (failed.isPresent()) {
            Duration wait = Duration.between(now, failed.get().retryAt());
            return wait.isPositive()
                    ? Optional.of(unreachable(server, resolved, failed.get(), wait))
                    : Optional.empty();
        }
        if (death.isEmpty() || !death.get().reopenAt().isAfter(now)) {
            return Optional.empty();
        }
        String cause = cause(resolved, death.get().cause());
        status.write(server, new ObservedState.CrashLooping(death.get().deaths(), cause));
        return Optional.of(Result.requeueAfter(Duration.between(now, death.get().reopenAt())));
    }

    private Result unreachable(
            McpServer server,
            Resolution.Resolved resolved,
            SessionJournal.NotOpened failed,
            Duration wait) {
        String cause = cause(resolved, failed.what());
        OptionalLong served = served(resolved);
        Optional<SessionOpenException> failure = failed.failure();
        // Only the owner of a container that orlojd does not own can start it.
        if (served.isEmpty() && failure.filter(ConnectFailure::isContainerGone).isPresent()) {
            status.write(server, new ObservedState.ContainerGone(cause));
            return Result.DONE;
        }
        String before = "; calls are served as before this change, of generation ";
        String meanwhile = served.isPresent() ? before + served.getAsLong() : "";
        String reason = failure.map(ConnectFailure::reason).orElse(ServerStatus.CONNECT_FAILED);
        status.write(server, new ObservedState.Unreachable(reason, cause + meanwhile, served));
        return Result.requeueAfter(wait);
    }

    private Optional<SessionJournal.NotOpened> notOpened(Resolution.Resolved resolved) {
        ServerDefinition definition = resolved.definition();
        return journal.notOpened(definition.server())
                .filter(failed -> failed.key().isSameAs(definition.key()));
    }

    private boolean mayStayAsleep(McpServerView view, Optional<SessionJournal.Ending> ending) {
        McpServer server = view.server();
        return server.spec().lifetime().startsOnDemand()
                && KnownStatus.isSettled(server)
                && ending.filter(SessionJournal.Ending::failure).isEmpty()
                && !journal.isUnlisted(server.key())
                && hasItsTools(view);
    }

    /**
     * A call cannot wake the server through a Tool that was deleted. Only a new listing restores
     * the Tool.
     */
    private static boolean hasItsTools(McpServerView view) {
        Set<String> there =
                view.tools().stream()
                        .map(tool -> tool.metadata().name())
                        .collect(Collectors.toSet());
        McpServerStatus status = view.server().status();
        return there.size() >= status.toolCount() && there.containsAll(status.generatedTools());
    }

    /**
     * Writes that a session is being opened, unless the status already says that opening failed. A
     * new server that starts quickly is Ready before anyone could read that status, and one that
     * waits for its turn to start is Pending.
     */
    private Result announce(
            McpServer server,
            Resolution.Resolved resolved,
            Optional<SessionJournal.Ending> death,
            Instant since) {
        if (KnownStatus.isKnownToFail(server)) {
            status.write(server, new ObservedState.Unchanged());
            return Result.requeueAfter(LOOK_AGAIN);
        }
        String failed = notOpened(resolved).map(n -> cause(resolved, n.what())).orElse("");
        if (KnownStatus.isNew(server) && death.isEmpty() && failed.isEmpty()) {
            Instant due =
                    journal.startingSince(server.key(), resolved.definition().key())
                            .map(start -> start.plus(SessionJournal.QUICK))
                            .orElse(since.plus(LOOK_AGAIN));
            Duration left = Duration.between(clock.instant(), due);
            if (left.isPositive()) {
                return Result.requeueAfter(left.compareTo(LOOK_AGAIN) < 0 ? left : LOOK_AGAIN);
            }
        }
        ObservedState opening =
                death.isPresent() && failed.isEmpty()
                        ? new ObservedState.Lost(cause(resolved, death.get().cause()))
                        : new ObservedState.Connecting(
                                served(resolved),
                                failed,
                                since,
                                resolved.definition().timeouts().startup());
        status.write(server, scaled.opening(server, opening));
        return Result.requeueAfter(LOOK_AGAIN);
    }

    /**
     * Returns the generation of the session that serves calls, which need not be the desired one.
     */
    private OptionalLong served(Resolution.Resolved resolved) {
        SessionKey wanted = resolved.definition().key();
        return sessions.liveSession(resolved.definition().server())
                .map(Session::key)
                .filter(key -> key.serverUid().equals(wanted.serverUid()))
                .map(key -> OptionalLong.of(key.generation()))
                .orElseGet(OptionalLong::empty);
    }

    /** Formats a cause for a condition and appends the last output of the server. */
    private String cause(Resolution.Resolved resolved, String why) {
        LogBuffer log = sessions.log(resolved.definition().server());
        String said = ServerOutput.of(log.tail(LogBuffer.CAPACITY));
        return ConditionMessage.of(
                ConditionMessage.without(resolved.secrets(), ConditionMessage.of(why) + said));
    }
}
