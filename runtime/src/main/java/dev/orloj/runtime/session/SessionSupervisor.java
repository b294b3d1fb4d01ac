package dev.orloj.runtime.session;

import dev.orloj.runtime.client.McpProtocolException;
import dev.orloj.runtime.client.ServerExitedException;
import dev.orloj.runtime.client.VersionNegotiation;
import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.session.lifecycle.SessionState;
import dev.orloj.runtime.start.Starts;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.http.HttpStatusException;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * Runs one session on its own thread: opens it, waits until it ends, and closes it. {@link #run}
 * contains the steps in order.
 */
final class SessionSupervisor {

    private static final Logger logger = LoggerFactory.getLogger(SessionSupervisor.class);
    private static final int LAST_LINES = 10;

    private final SessionSlot slot;
    private final SessionContext context;
    private final @Nullable Renewal renewal;
    private final boolean mayWait;
    private final CompletableFuture<Session> opening = new CompletableFuture<>();

    /** Start of the opening; after a wait for the start of the process, the end of that wait. */
    private volatile Instant startedAt;

    private final Thread thread;

    /** Whether the opening is cancelled. */
    private volatile boolean cancelled = false;

    private volatile ServerDefinition definition;

    /** The session that {@link #openOnce} opens. */
    private volatile @Nullable Session attempt;

    /** The supervisor whose session the waiting calls get instead. */
    private volatile @Nullable SessionSupervisor successor;

    /**
     * The replacement of a session by another one with the same key.
     *
     * @param reason the reason for messages
     */
    record Renewal(Session expiring, String reason) {}

    /**
     * @param renewal null when the session is opened on request
     * @param mayWait whether no client waits for the session, because another session serves calls
     */
    SessionSupervisor(
            ServerDefinition definition,
            SessionSlot slot,
            SessionContext context,
            @Nullable Renewal renewal,
            boolean mayWait) {
        this.mayWait = mayWait;
        this.definition = definition;
        this.slot = slot;
        this.context = context;
        this.renewal = renewal;
        this.startedAt = context.clock().instant();
        this.thread =
                Thread.ofVirtual().name("session-" + definition.server()).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    Instant startedAt() {
        return startedAt;
    }

    SessionKey key() {
        return definition.key();
    }

    ServerDefinition definition() {
        return definition;
    }

    /** Applies a changed definition of the same key to the opening. */
    void follow(ServerDefinition changed) {
        definition = changed;
    }

    Optional<Renewal> renewal() {
        return Optional.ofNullable(renewal);
    }

    /** Returns the session that is opening now. */
    Optional<Session> attempt() {
        return Optional.ofNullable(attempt);
    }

    /** Cancels an opening. Has no effect on a session that is open. */
    void cancelOpening() {
        cancelled = true;
        thread.interrupt();
    }

    /** Cancels an opening in favor of another one, which serves the waiting calls. */
    void giveWayTo(SessionSupervisor next) {
        successor = next;
        cancelOpening();
    }

    /** Completes with the session or a {@link SessionOpenException}. */
    Future<Session> opening() {
        return opening;
    }

    /** Waits until the session is closed. */
    void awaitGone() throws InterruptedException {
        thread.join();
    }

    /** Waits as {@link #awaitGone} does, with a timeout; returns false when it expired. */
    boolean awaitGone(Duration limit) throws InterruptedException {
        return thread.join(limit);
    }

    private void run() {
        OpeningTurns turns = slot.server().turns();
        try {
            Optional<FailedOpening> failed = turns.enter(key(), this, mayWait);
            if (failed.isPresent()) {
                notOpenedEither(failed.get());
                return;
            }
            Session open = open();
            turns.succeeded(open.key());
            // A cancellation that came too late must not affect the end of the session.
            Thread.interrupted();
            keep(open);
            slot.remove(this, Duration.ZERO);
        } catch (InterruptedException e) {
            notOpened(failure(1, "the opening was broken off", e));
        } catch (SessionOpenException e) {
            notOpened(e);
        } catch (RuntimeException | Error e) {
            logger.atError()
                    .addKeyValue("server", definition.server())
                    .setCause(e)
                    .log("Session supervisor ended in an error");
            notOpened(failure(1, why(e), e));
        } finally {
            turns.leave(this);
        }
    }

    private void notOpened(SessionOpenException cause) {
        if (cancelled) {
            slot.remove(this, Duration.ZERO);
            fail(cause);
            return;
        }
        FailedOpening failed = slot.server().openingFailed(definition, cause);
        logger.atWarn()
                .addKeyValue("server", definition.server())
                .addKeyValue("openings", failed.inARow())
                .addKeyValue("retryIn", failed.retryAfter())
                .addKeyValue("error", cause.getMessage())
                .log("Session did not open");
        if (!(cause.getCause() instanceof LimitReachedException)) {
            slot.server().turns().failed(this, failed);
        }
        goOnWithout(failed);
        notifyListener(() -> context.listener().openFailed(definition.server(), failed));
        fail(cause);
    }

    /** Fails with the failure of the session that went first, which is already reported. */
    private void notOpenedEither(FailedOpening failed) {
        goOnWithout(failed);
        fail(failed.cause());
    }

    private void goOnWithout(FailedOpening failed) {
        if (renewal != null && renewal.expiring().isReady()) {
            logger.atWarn()
                    .addKeyValue("session", renewal.expiring())
                    .addKeyValue("reason", renewal.reason())
                    .log("Session could not be replaced and goes on");
            renewal.expiring().goOn(failed.retryAfter());
        }
        // Removed first: a call that retries after the failure must not join this opening.
        slot.remove(this, failed.retryAfter());
    }

    private void fail(Throwable cause) {
        SessionSupervisor next = successor;
        if (next == null) {
            opening.completeExceptionally(cause);
            return;
        }
        next.opening.whenComplete(
                (session, failure) -> {
                    if (failure == null) {
                        opening.complete(session);
                    } else {
                        opening.completeExceptionally(failure);
                    }
                });
    }

    private void keep(Session open) {
        if (slot.adopt(this, open)) {
            slot.server().openingSucceeded();
            notifyListener(() -> context.listener().opened(definition.server(), open.info()));
            opening.complete(open);
            slot.server().followImage(open);
            SessionState.Closed end = end(open);
            notifyListener(
                    () ->
                            context.listener()
                                    .closed(
                                            definition.server(),
                                            open.info(),
                                            end.cause(),
                                            end.failure()));
            return;
        }
        opening.completeExceptionally(failure(1, "the server is being retired", null));
        end(open);
    }

    private SessionState.Closed end(Session open) {
        try {
            open.awaitEnding();
            if (open.state() instanceof SessionState.Failed) {
                slot.server().countFailure();
            }
        } catch (InterruptedException e) {
            open.drain("interrupted", Duration.ZERO);
        }
        return open.finish();
    }

    private Session open() {
        claimRoom();
        for (int attempt = 1; ; attempt++) {
            try {
                return openOnceOrAsLegacy();
            } catch (InterruptedException e) {
                throw failure(attempt, "the opening was broken off", e);
            } catch (McpProtocolException e) {
                throw failure(attempt, why(e), e);
            } catch (RuntimeException e) {
                if (attempt >= mostAttempts() || !mayPass(e)) {
                    throw failure(attempt, why(e), e);
                }
                backOff(attempt, e);
            }
        }
    }

    /**
     * Returns the maximum number of attempts: that of the manifest, or one after a failed opening.
     */
    private int mostAttempts() {
        return slot.server().failedOpenings(definition.key()) > 0
                ? 1
                : definition.reconnect().maxAttempts();
    }

    /**
     * Returns whether a retry may succeed. A missing program or image does not appear within
     * seconds, and repeated attempts with wrong credentials may lock an account.
     */
    private static boolean mayPass(RuntimeException failure) {
        return !(failure.getCause() instanceof WorkloadException)
                && !(failure instanceof HttpStatusException status && status.isForCredentials());
    }

    private void claimRoom() {
        try {
            if (definition.singleton()) {
                context.singletons().claim(definition.server());
                slot.server().makeWayFor(this, whyNext());
            }
            slot.room().claim(definition);
        } catch (LimitReachedException e) {
            throw failure(1, e.getMessage(), e);
        } catch (InterruptedException e) {
            throw failure(1, "the opening was broken off", e);
        }
    }

    private String whyNext() {
        return renewal == null
                ? "makes way for another session, for the server bears no two"
                : "replaced: " + renewal.reason();
    }

    /** Opens the session; if a program ended on the probe, starts it again without the probe. */
    private Session openOnceOrAsLegacy() throws InterruptedException {
        try {
            return openOnce();
        } catch (ServerExitedException e) {
            slot.server().traits().rememberAsLegacy(definition.key());
            return openOnce();
        }
    }

    private Session openOnce() throws InterruptedException {
        LogBuffer log = slot.server().log();
        String label = definition.server().toString();
        Session next =
                new Session(
                        slot.server().nextId(),
                        definition,
                        context.transports().create(definition.address(), log, label),
                        context,
                        new Host());
        attempt = next;
        try (Starts.Start _ = start(next)) {
            VersionNegotiation.NegotiatedServer met =
                    next.open(
                            context.settings().clientVersion(),
                            definition.address() instanceof ServerAddress.Sse
                                    || slot.server().traits().isKnownAsLegacy(definition.key()));
            slot.server().traits().negotiated(definition, met);
        } finally {
            attempt = null;
        }
        return next;
    }

    /**
     * Waits for a slot if a process is started on this machine; returns null for a server that runs
     * already.
     */
    private Starts.@Nullable Start start(Session next) throws InterruptedException {
        return switch (definition.address()) {
            case ServerAddress.Stdio _, ServerAddress.Container _, ServerAddress.Exec _ -> {
                Starts.Start start = context.starts().begin(definition.server(), next::pid);
                startedAt = context.clock().instant();
                yield start;
            }
            case ServerAddress.Http _, ServerAddress.Sse _ -> null;
        };
    }

    private final class Host implements Session.Host {

        @Override
        public void expired(Session session, String reason) {
            slot.renew(new Renewal(session, reason));
        }

        @Override
        public void unattributed() {
            slot.server().traits().rememberAsUnclear(definition.key());
        }

        @Override
        public boolean isOwnedByClient() {
            return slot.isOwnedByClient();
        }

        @Override
        public void toolsChanged(Session session) {
            slot.server().announced(session);
        }
    }

    private void backOff(int failures, RuntimeException cause) {
        Duration delay = definition.reconnect().delayAfter(failures, context.random());
        logger.atWarn()
                .addKeyValue("server", definition.server())
                .addKeyValue("attempt", failures)
                .addKeyValue("of", definition.reconnect().maxAttempts())
                .addKeyValue("retryIn", delay)
                .addKeyValue("error", why(cause))
                .log("Session did not open");
        FailedAttempt attempt =
                new FailedAttempt(
                        definition.key(),
                        failures,
                        definition.reconnect().maxAttempts(),
                        why(cause),
                        delay);
        notifyListener(() -> context.listener().attemptFailed(definition.server(), attempt));
        try {
            context.clock().await(delay);
        } catch (InterruptedException e) {
            throw failure(failures, "the opening was broken off after: " + why(cause), cause);
        }
    }

    private SessionOpenException failure(int attempts, String why, @Nullable Throwable cause) {
        List<String> lastLines =
                slot.server().log().tail(LAST_LINES).stream().map(LogBuffer.Line::text).toList();
        return new SessionOpenException(definition.server(), attempts, why, lastLines, cause);
    }

    private static String why(Throwable cause) {
        return Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
    }

    /** Calls a listener; its failure must not affect the session. */
    private void notifyListener(Runnable message) {
        try {
            message.run();
        } catch (RuntimeException e) {
            logger.atError()
                    .addKeyValue("server", definition.server())
                    .setCause(e)
                    .log("Session listener failed");
        }
    }
}
