package dev.orloj.controllers.mcpserver;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.Write;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.batch.BatchedWrites;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.control.RetryException;
import dev.orloj.controllers.events.EventRecorder;
import dev.orloj.controllers.events.Note;
import dev.orloj.runtime.container.ContainerGoneException;
import dev.orloj.runtime.limit.Limit;
import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.session.ServerDefinition;
import dev.orloj.runtime.session.Session;
import dev.orloj.runtime.session.SessionKey;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.SessionOpenException;
import dev.orloj.runtime.workload.LogBuffer;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * Brings one McpServer to where its manifest wants it: a session when one is needed, a Tool for
 * each tool, nothing left when it is deleted. Every look gathers ({@link McpServerView}), decides
 * ({@link ToolPlan}, {@link ServerStatus}) and writes the difference.
 *
 * <p>A session is needed by a server that is always on, by one whose tools of this generation are
 * not listed yet, and by one whose session died. All others may sleep: nothing here wakes them.
 */
final class McpServerReconciler implements Reconciler {

    /** Holds a deleted server until its sessions are closed. */
    static final String FINALIZER = "orloj.dev/sessions";

    /** As Kubernetes calls it. */
    private static final String INVALID_VARIABLE_NAMES = "InvalidEnvironmentVariableNames";

    private static final double JITTER = 0.1;

    /** How often a leader that does not own the singletons yet looks after one. */
    private static final Duration SINGLETON_RETRY = Duration.ofSeconds(1);

    /**
     * What was listed last, to tell whether it has to be listed again.
     *
     * @param changes what the journal counted before the listing
     * @param until when it is to be listed again at the latest
     */
    private record Listing(String sessionId, long changes, Instant until) {

        /** Whether it still holds, as far as anybody knows. */
        boolean isOf(Session session, long changesNow, Instant now) {
            return sessionId.equals(session.toString())
                    && changes == changesNow
                    && now.isBefore(until);
        }
    }

    private final ResourceClient client;
    private final McpServerCaches caches;
    private final SessionManager sessions;
    private final SessionOpener opener;
    private final SessionJournal journal;
    private final EventRecorder events;
    private final StatusWriter status;
    private final ToolSync toolSync;
    private final InstantSource clock;
    private final Duration resyncPeriod;
    private final ConcurrentMap<ResourceKey, Listing> listings = new ConcurrentHashMap<>();

    McpServerReconciler(
            ResourceClient client,
            McpServerCaches caches,
            SessionManager sessions,
            SessionOpener opener,
            SessionJournal journal,
            InstantSource clock,
            Duration resyncPeriod,
            String replica) {
        this.client = client;
        this.caches = caches;
        this.sessions = sessions;
        this.opener = opener;
        this.journal = journal;
        this.events = new EventRecorder(client, clock, "mcpserver-controller");
        this.status =
                new StatusWriter(
                        client, events, clock, new SessionSummary(caches, journal, replica));
        this.toolSync = new ToolSync(client, status, events, caches::listingLimits);
        this.clock = clock;
        this.resyncPeriod = resyncPeriod;
    }

    @Override
    public Result reconcile(ResourceKey key) throws InterruptedException {
        Optional<McpServer> found = caches.find(key);
        if (found.isEmpty()) {
            return forget(key);
        }
        McpServer server = found.get();
        if (server.metadata().isDeleting()) {
            return tearDown(server);
        }
        if (!server.metadata().finalizers().contains(FINALIZER)) {
            server = client.update(McpServer.KIND, withFinalizer(server));
        }
        McpServerView view = caches.view(server);
        return switch (view.resolution()) {
            case Resolution.Refused(String reason, String message) ->
                    rest(server, new Observation.Refused(reason, message));
            case Resolution.Suspended(String why) -> rest(server, new Observation.Suspended(why));
            case Resolution.Resolved resolved -> keep(view, resolved);
        };
    }

    /** Without a session, until something changes. */
    private Result rest(McpServer server, Observation observation) throws InterruptedException {
        status.write(server, observation);
        sessions.retire(server.key());
        listings.remove(server.key());
        return Result.DONE;
    }

    private static McpServer withFinalizer(McpServer server) {
        return server.withMetadata(server.metadata().withFinalizer(FINALIZER));
    }

    /** Somebody took the finalizer off, or everything is done. */
    private Result forget(ResourceKey key) throws InterruptedException {
        sessions.retire(key);
        listings.remove(key);
        journal.forget(key);
        return Result.DONE;
    }

    private Result tearDown(McpServer server) throws InterruptedException {
        if (!server.metadata().finalizers().contains(FINALIZER)) {
            return forget(server.key());
        }
        McpServer leaving = status.write(server, new Observation.Leaving());
        sessions.retire(server.key());
        List<Write<Tool>> deletions = deletions(server);
        new BatchedWrites<>(client, Tool.KIND, _ -> 0).write(deletions, () -> true);
        client.update(
                McpServer.KIND,
                leaving.withMetadata(leaving.metadata().withoutFinalizer(FINALIZER)));
        events.record(
                server,
                Note.normal("Deleted", "Sessions closed and Tools deleted: " + deletions.size()));
        return forget(server.key());
    }

    /**
     * Of the Tools that go with their server, each in the state that was seen: one that has just
     * been orphaned is nobody's to delete.
     */
    private List<Write<Tool>> deletions(McpServer server) {
        List<Write<Tool>> deletions = new ArrayList<>();
        if (server.metadata().finalizers().contains(Propagation.ORPHAN_FINALIZER)) {
            return deletions;
        }
        for (Tool tool : caches.view(server).tools()) {
            if (isOwned(tool, server) && !tool.metadata().isDeleting()) {
                deletions.add(
                        new Write.Delete<>(tool.key(), DeleteOptions.ofState(tool.metadata())));
            }
        }
        return deletions;
    }

    private static boolean isOwned(Tool tool, McpServer server) {
        return tool.metadata()
                .controller()
                .filter(owner -> owner.uid().equals(server.metadata().uid()))
                .isPresent();
    }

    private Result keep(McpServerView view, Resolution.Resolved resolved)
            throws InterruptedException {
        ServerDefinition definition = resolved.definition();
        Optional<Session> live = sessions.liveSession(definition.server());
        Optional<SessionJournal.Ending> ending =
                journal.ending(definition.server()).filter(e -> e.key().equals(definition.key()));
        if (live.isPresent() && live.get().key().equals(definition.key())) {
            return attend(view.server(), view, live.get());
        }
        if (live.isEmpty() && mayStayAsleep(view, ending)) {
            status.write(view.server(), new Observation.Asleep(whyAsleep(ending, resolved)));
            return Result.DONE;
        }
        Optional<SessionJournal.Ending> death =
                live.isPresent() ? Optional.empty() : ending.filter(SessionJournal.Ending::failure);
        if (death.isPresent()) {
            Duration wait = Duration.between(clock.instant(), death.get().reopenAt());
            if (wait.isPositive()) {
                String cause = cause(resolved, death.get().cause());
                int deaths = death.get().deaths();
                status.write(view.server(), new Observation.CrashLooping(deaths, cause));
                return Result.requeueAfter(wait);
            }
        }
        return connect(announce(view.server(), resolved, death), view, resolved);
    }

    private static boolean mayStayAsleep(
            McpServerView view, Optional<SessionJournal.Ending> ending) {
        boolean died = ending.isPresent() && ending.get().failure();
        McpServer server = view.server();
        return server.spec().startsOnDemand()
                && ServerStatus.isSettled(server)
                && !died
                && hasItsTools(view);
    }

    /**
     * A Tool that somebody deleted could wake its server no more: only a listing brings it back.
     */
    private static boolean hasItsTools(McpServerView view) {
        Set<String> there =
                view.tools().stream()
                        .map(tool -> tool.metadata().name())
                        .collect(Collectors.toSet());
        McpServerStatus status = view.server().status();
        return there.size() >= status.toolCount() && there.containsAll(status.generatedTools());
    }

    private static String whyAsleep(
            Optional<SessionJournal.Ending> ending, Resolution.Resolved resolved) {
        String why =
                ending.map(e -> "The session was closed: " + e.cause())
                        .orElse("No session is open");
        String shown = Sentence.of(Sentence.without(resolved.secrets(), why));
        return shown + "; the next call opens one";
    }

    /** Says that a session is being opened, unless it has been said that this did not work. */
    private McpServer announce(
            McpServer server, Resolution.Resolved resolved, Optional<SessionJournal.Ending> death) {
        if (ServerStatus.isKnownToFail(server)) {
            return server;
        }
        Observation observation =
                death.<Observation>map(d -> new Observation.Lost(cause(resolved, d.cause())))
                        .orElseGet(
                                () ->
                                        new Observation.Connecting(
                                                served(resolved), failedAttempt(resolved)));
        return status.write(server, observation);
    }

    private String failedAttempt(Resolution.Resolved resolved) {
        ServerDefinition definition = resolved.definition();
        return journal.failedAttempt(definition.server())
                .filter(attempt -> attempt.key().equals(definition.key()))
                .map(
                        attempt ->
                                cause(
                                        resolved,
                                        "attempt %d of %d failed: %s"
                                                .formatted(
                                                        attempt.number(),
                                                        attempt.most(),
                                                        attempt.cause())))
                .orElse("");
    }

    private Result connect(McpServer server, McpServerView view, Resolution.Resolved resolved)
            throws InterruptedException {
        try {
            Optional<Session> session = opener.open(resolved.definition());
            resolved.notes()
                    .forEach(
                            note ->
                                    events.record(
                                            server, Note.warning(INVALID_VARIABLE_NAMES, note)));
            return session.isPresent() ? attend(server, view, session.get()) : Result.DONE;
        } catch (SessionOpenException e) {
            String cause = cause(resolved, String.valueOf(e.getMessage()));
            OptionalLong served = served(resolved);
            String meanwhile =
                    served.isPresent()
                            ? "; calls are served as before this change, of generation "
                                    + served.getAsLong()
                            : "";
            if (isGone(e) && served.isEmpty()) {
                status.write(server, new Observation.ContainerGone(cause));
                return Result.DONE;
            }
            status.write(server, new Observation.Unreachable(cause + meanwhile, served));
            if (e.getCause() instanceof LimitReachedException limit
                    && limit.limit() == Limit.SINGLETON) {
                // Nothing is wrong with the server: it is a matter of seconds.
                return Result.requeueAfter(SINGLETON_RETRY);
            }
            throw new RetryException(cause, e);
        }
    }

    /** Whether it is somebody else's container that does not run: only they can change that. */
    private static boolean isGone(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ContainerGoneException) {
                return true;
            }
        }
        return false;
    }

    /** The generation of the session that serves calls, be it the one that is wanted or not. */
    private OptionalLong served(Resolution.Resolved resolved) {
        SessionKey wanted = resolved.definition().key();
        return sessions.liveSession(resolved.definition().server())
                .map(Session::key)
                .filter(key -> key.serverUid().equals(wanted.serverUid()))
                .map(key -> OptionalLong.of(key.generation()))
                .orElseGet(OptionalLong::empty);
    }

    /** A cause in the words of a condition, with the last words of the server itself. */
    private String cause(Resolution.Resolved resolved, String why) {
        List<LogBuffer.Line> last = sessions.log(resolved.definition().server()).tail(1);
        String said = last.isEmpty() ? "" : "; it last wrote: " + last.getFirst().text();
        return Sentence.of(Sentence.without(resolved.secrets(), Sentence.of(why) + said));
    }

    /** There is a session: lists its tools when there is a reason to. */
    private Result attend(McpServer server, McpServerView view, Session session)
            throws InterruptedException {
        ResourceKey key = server.key();
        long changes = journal.changes(key);
        Instant now = clock.instant();
        Listing listing = listings.get(key);
        if (listing != null
                && listing.isOf(session, changes, now)
                && ServerStatus.isSettled(server)) {
            status.write(server, new Observation.Open(session.identity()));
            return Result.requeueAfter(Duration.between(now, listing.until()));
        }
        if (!toolSync.sync(server, view, session)) {
            // It is deleted or changed, which brings it back.
            return Result.DONE;
        }
        Duration period = jittered();
        listings.put(key, new Listing(session.toString(), changes, now.plus(period)));
        return Result.requeueAfter(period);
    }

    private Duration jittered() {
        long nanos = resyncPeriod.toNanos();
        return Duration.ofNanos(
                nanos - (long) (nanos * JITTER * ThreadLocalRandom.current().nextDouble()));
    }
}
