package dev.orloj.runtime.session;

import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.workload.LogBuffer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A thread with one session to care for: opens it, stays until it ends, and clears it away. The
 * life of a session is the straight line of {@link #run}.
 */
final class SessionKeeper {

    private static final Logger logger = LoggerFactory.getLogger(SessionKeeper.class);
    private static final int LAST_LINES = 10;

    private final SessionLane lane;
    private final SessionContext context;
    private final @Nullable Renewal renewal;
    private final CompletableFuture<Session> opening = new CompletableFuture<>();
    private final Thread thread;

    private volatile ServerDefinition definition;

    /** What {@link #openOnce} works on. */
    private volatile @Nullable Session attempt;

    /** Whose session those who wait for this one get instead. */
    private volatile @Nullable SessionKeeper successor;

    /**
     * A session that is replaced by another one of the same key.
     *
     * @param reason for people
     */
    record Renewal(Session worn, String reason) {}

    /**
     * @param renewal null when the session is opened because it is wanted
     */
    SessionKeeper(
            ServerDefinition definition,
            SessionLane lane,
            SessionContext context,
            @Nullable Renewal renewal) {
        this.definition = definition;
        this.lane = lane;
        this.context = context;
        this.renewal = renewal;
        this.thread =
                Thread.ofVirtual().name("session-" + definition.server()).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    SessionKey key() {
        return definition.key();
    }

    ServerDefinition definition() {
        return definition;
    }

    /** What is opened is to be as this definition of the same key has it. */
    void follow(ServerDefinition changed) {
        definition = changed;
    }

    Optional<Renewal> renewal() {
        return Optional.ofNullable(renewal);
    }

    /** The session that is being opened at this moment. */
    Optional<Session> attempt() {
        return Optional.ofNullable(attempt);
    }

    /** Breaks off an opening. Without effect on a session that is open. */
    void cancelOpening() {
        thread.interrupt();
    }

    /** Breaks off an opening in favour of another one, with which its callers wait on. */
    void giveWayTo(SessionKeeper next) {
        successor = next;
        cancelOpening();
    }

    /**
     * Waits for the opening, which goes on when a waiting caller is interrupted.
     *
     * @throws SessionOpenException when it failed
     */
    Session awaitOpened() throws InterruptedException {
        try {
            return opening.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SessionOpenException failure) {
                throw failure;
            }
            throw new IllegalStateException("Opening a session ended in an error", e.getCause());
        }
    }

    /** Waits until nothing is left of the session. */
    void awaitGone() throws InterruptedException {
        thread.join();
    }

    /** As {@link #awaitGone}, but not for ever: false when there is something left. */
    boolean awaitGone(Duration limit) throws InterruptedException {
        return thread.join(limit);
    }

    private void run() {
        try {
            Session open = open();
            // A cancellation that came too late must not disturb the end of the session.
            Thread.interrupted();
            keep(open);
            lane.remove(this);
        } catch (RuntimeException | Error e) {
            if (!(e instanceof SessionOpenException)) {
                logger.atError()
                        .addKeyValue("server", definition.server())
                        .setCause(e)
                        .log("Session keeper ended in an error");
            }
            if (renewal != null && renewal.worn().isReady()) {
                logger.atWarn()
                        .addKeyValue("session", renewal.worn())
                        .addKeyValue("reason", renewal.reason())
                        .addKeyValue("error", why(e))
                        .log("Session could not be replaced and goes on");
                renewal.worn().goOn();
            }
            // Forgotten first: who hears of the failure and asks again must not join it.
            lane.remove(this);
            fail(e);
        }
    }

    private void fail(Throwable cause) {
        SessionKeeper next = successor;
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
        if (lane.adopt(this, open)) {
            tell(() -> context.listener().opened(definition.server(), open.info()));
            opening.complete(open);
            lane.server().followImage(open);
            SessionState.Closed end = end(open);
            tell(
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
                lane.server().countFailure();
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
                if (attempt >= definition.reconnect().maxAttempts()) {
                    throw failure(attempt, why(e), e);
                }
                backOff(attempt, e);
            }
        }
    }

    private void claimRoom() {
        try {
            if (definition.singleton()) {
                context.singletons().claim(definition.server());
                lane.server().makeWayFor(this, whyNext());
            }
            lane.room().claim(definition);
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

    /** A program that cannot bear the question of its era is started again and not asked. */
    private Session openOnceOrAsLegacy() throws InterruptedException {
        try {
            return openOnce();
        } catch (DiedWhenAskedException e) {
            lane.server().rememberAsLegacy(definition.key());
            return openOnce();
        }
    }

    private Session openOnce() throws InterruptedException {
        LogBuffer log = lane.server().log();
        String label = definition.server().toString();
        Session next =
                new Session(
                        lane.server().nextId(),
                        definition,
                        context.transports().create(definition.address(), log, label),
                        context,
                        (worn, reason) -> lane.renew(new Renewal(worn, reason)));
        attempt = next;
        try {
            Introduction.Acquaintance met =
                    next.open(
                            context.settings().clientVersion(),
                            definition.address() instanceof ServerAddress.Sse
                                    || lane.server().isKnownAsLegacy(definition.key()));
            if (met.isLasting() && !met.era().revision().isStateless()) {
                lane.server().rememberAsLegacy(definition.key());
            }
        } finally {
            attempt = null;
        }
        return next;
    }

    private void backOff(int failures, RuntimeException cause) {
        Duration delay = definition.reconnect().delayAfter(failures, context.random());
        logger.atWarn()
                .addKeyValue("server", definition.server())
                .addKeyValue("attempt", failures)
                .addKeyValue("retryAfter", delay)
                .addKeyValue("error", why(cause))
                .log("Session did not open");
        FailedAttempt attempt =
                new FailedAttempt(
                        definition.key(),
                        failures,
                        definition.reconnect().maxAttempts(),
                        why(cause),
                        delay);
        tell(() -> context.listener().attemptFailed(definition.server(), attempt));
        try {
            context.clock().await(delay);
        } catch (InterruptedException e) {
            throw failure(failures, "the opening was broken off after: " + why(cause), cause);
        }
    }

    private SessionOpenException failure(int attempts, String why, @Nullable Throwable cause) {
        List<String> lastLines =
                lane.server().log().tail(LAST_LINES).stream().map(LogBuffer.Line::text).toList();
        return new SessionOpenException(definition.server(), attempts, why, lastLines, cause);
    }

    private static String why(Throwable cause) {
        return Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
    }

    /** A listener that fails must not cost a session its orderly end. */
    private void tell(Runnable message) {
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
