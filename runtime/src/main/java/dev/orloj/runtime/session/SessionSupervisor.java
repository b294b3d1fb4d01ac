package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.session.lifecycle.SessionState;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Predicate;

/**
 * Runs one session on its own thread: opens it, waits until it ends, and closes it. {@link #run}
 * contains the steps in order.
 */
final class SessionSupervisor {

    private static final Logger logger = LoggerFactory.getLogger(SessionSupervisor.class);

    private final ResourceKey server;
    private final SessionSlot slot;
    private final SessionContext context;
    private final @Nullable Renewal renewal;
    private final Predicate<FailedOpening> respected;
    private final OpeningAttempts attempts;
    private final CompletableFuture<Session> opening = new CompletableFuture<>();

    private final Thread thread;

    /** Whether the opening is cancelled. */
    private volatile boolean cancelled = false;

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
     * @param respected see {@link OpeningTurns#enter}
     */
    SessionSupervisor(
            ServerDefinition definition,
            SessionSlot slot,
            SessionContext context,
            @Nullable Renewal renewal,
            Predicate<FailedOpening> respected) {
        this.respected = respected;
        this.server = definition.server();
        this.slot = slot;
        this.context = context;
        this.renewal = renewal;
        this.attempts = new OpeningAttempts(definition, slot, context);
        this.thread = Thread.ofVirtual().name("session-" + server).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    Instant startedAt() {
        return attempts.startedAt();
    }

    SessionKey key() {
        return definition().key();
    }

    ServerDefinition definition() {
        return attempts.definition();
    }

    /** Applies a changed definition of the same key to the opening. */
    void follow(ServerDefinition changed) {
        attempts.follow(changed);
    }

    Optional<Renewal> renewal() {
        return Optional.ofNullable(renewal);
    }

    /** Returns the session that is opening now. */
    Optional<Session> attempt() {
        return attempts.current();
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
            Optional<FailedOpening> failed = turns.enter(key(), this, respected);
            if (failed.isPresent()) {
                endOpening(failed.get());
                return;
            }
            claimRoom();
            Session open = attempts.open();
            if (definition().isOfUser()) {
                // Shows only that the connection works for this user.
                turns.leave(this);
            } else {
                turns.succeeded(open.key());
            }
            keep(open);
            leaveSlot(Duration.ZERO);
        } catch (InterruptedException e) {
            notOpened(attempts.failure(1, "the opening was broken off", e));
        } catch (SessionOpenException e) {
            notOpened(e);
        } catch (RuntimeException | Error e) {
            logger.atError()
                    .addKeyValue("server", server)
                    .setCause(e)
                    .log("Session supervisor ended in an error");
            notOpened(attempts.failure(1, OpeningAttempts.why(e), e));
        } finally {
            turns.leave(this);
        }
    }

    private void notOpened(SessionOpenException cause) {
        if (cancelled) {
            leaveSlot(Duration.ZERO);
            fail(cause);
            return;
        }
        FailedOpening failed = slot.server().openingFailures().count(definition(), cause);
        logger.atWarn()
                .addKeyValue("server", server)
                .addKeyValue("openings", failed.inARow())
                .addKeyValue("retryIn", failed.retryAfter())
                .addKeyValue(
                        "error", definition().secrets().hide(String.valueOf(cause.getMessage())))
                .log("Session did not open");
        // Reported before this opening, or one that waits for its outcome, leaves its slot: without
        // an opening and a failure, the controller would open again without a wait.
        context.notifyState(definition(), listener -> listener.openFailed(server, failed));
        if (!(cause.getCause() instanceof LimitReachedException) && !definition().isOfUser()) {
            slot.server().turns().failed(this, failed);
        }
        endOpening(failed);
    }

    /**
     * Ends an opening whose failure is reported: its own, or that of the session that went first.
     */
    private void endOpening(FailedOpening failed) {
        if (renewal != null && renewal.expiring().isReady()) {
            logger.atWarn()
                    .addKeyValue("session", renewal.expiring())
                    .addKeyValue("reason", renewal.reason())
                    .log("Session could not be replaced and goes on");
            renewal.expiring().goOn(failed.retryAfter());
        }
        // Before the calls fail: one that retries after the failure must not join this opening.
        leaveSlot(failed.retryAfter());
        fail(failed.cause());
    }

    private void leaveSlot(Duration retryAfter) {
        slot.remove(this, retryAfter);
        context.notifyState(definition(), listener -> listener.removed(server));
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
        boolean isAdopted = slot.adopt(this, open);
        // The slot cancels openings only. A cancellation that came before it adopted the session
        // must not affect the end of the session.
        Thread.interrupted();
        if (isAdopted) {
            slot.server().openingFailures().opened(definition());
            context.notifyState(definition(), listener -> listener.opened(server, open.info()));
            opening.complete(open);
            slot.server().followImage(open);
            SessionState.Closed end = end(open);
            context.notifyState(
                    definition(),
                    listener -> listener.closed(server, open.info(), end.cause(), end.failure()));
            return;
        }
        opening.completeExceptionally(attempts.failure(1, "the server is being retired", null));
        end(open);
    }

    private SessionState.Closed end(Session open) {
        try {
            open.awaitEnding();
            if (open.state() instanceof SessionState.Failed && !definition().isOfUser()) {
                slot.server().countFailure();
            }
        } catch (InterruptedException e) {
            open.drain("interrupted", Duration.ZERO);
        }
        return open.finish();
    }

    private void claimRoom() {
        try {
            if (definition().sharing().singleton()) {
                context.singletons().claim(server);
                slot.server().makeWayFor(this, whyNext());
            }
            slot.room().claim(definition());
        } catch (LimitReachedException e) {
            throw attempts.failure(1, e.getMessage(), e);
        } catch (InterruptedException e) {
            throw attempts.failure(1, "the opening was broken off", e);
        }
    }

    private String whyNext() {
        return renewal == null
                ? "ended for another session: the server allows only one"
                : "replaced: " + renewal.reason();
    }
}
