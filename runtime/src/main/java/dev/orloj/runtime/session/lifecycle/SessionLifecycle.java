package dev.orloj.runtime.session.lifecycle;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.workload.SecretValues;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/**
 * Holds the state of one session and its latch, which is open in Ready and shut in all other
 * states.
 */
public final class SessionLifecycle {

    private static final Logger log = LoggerFactory.getLogger(SessionLifecycle.class);

    private final String id;
    private final Scheduler clock;
    private final SecretValues secrets;
    private final CallLatch latch = new CallLatch();
    private final CountDownLatch ending = new CountDownLatch(1);

    @GuardedBy("this")
    private boolean wasReady = false;

    /** Written by {@link #transition} only. */
    private volatile SessionState state = new SessionState.Connecting();

    /**
     * @param secrets values that the reason of a failure must not have: a server puts into an error
     *     what it got
     */
    public SessionLifecycle(String id, Scheduler clock, SecretValues secrets) {
        this.id = id;
        this.clock = clock;
        this.secrets = secrets;
    }

    public SessionState state() {
        return state;
    }

    public boolean isReady() {
        return state instanceof SessionState.Ready;
    }

    public CallLatch latch() {
        return latch;
    }

    /** Applies in Connecting only; a session that failed in the meantime stays failed. */
    public void ready(ServerIdentity identity) {
        transition(
                "make ready",
                current ->
                        switch (current) {
                            case SessionState.Connecting connecting -> connecting.ready(identity);
                            case SessionState.Failed failed -> failed;
                            case SessionState.Ready _,
                                    SessionState.Draining _,
                                    SessionState.Closed _ ->
                                    throw illegal("make ready", current);
                        });
    }

    /**
     * Starts draining. May be called again, which shortens the deadline of requests in flight if
     * the timeout is shorter.
     */
    public void drain(String reason, Duration timeout) {
        Instant until = clock.instant().plus(timeout);
        transition(
                "drain",
                current ->
                        switch (current) {
                            case SessionState.Ready ready -> ready.drain(reason, until);
                            case SessionState.Draining _,
                                    SessionState.Failed _,
                                    SessionState.Closed _ ->
                                    current;
                            case SessionState.Connecting _ -> throw illegal("drain", current);
                        });
        clock.schedule(timeout, latch::giveUp);
    }

    /** Starts draining if no request is in flight, and returns whether it did. */
    public boolean drainIfIdle(String reason) {
        long seen = latch.look();
        if (!isReady() || !latch.shutIfUnchanged(seen)) {
            return false;
        }
        drain(reason, Duration.ZERO);
        return true;
    }

    public void fail(Throwable cause) {
        String why =
                secrets.hide(Objects.requireNonNullElseGet(cause.getMessage(), cause::toString));
        transition(
                "fail",
                current ->
                        switch (current) {
                            case SessionState.Connecting connecting -> connecting.failed(why);
                            case SessionState.Ready ready -> ready.failed(why);
                            case SessionState.Draining draining -> draining.failed(why);
                            case SessionState.Failed _, SessionState.Closed _ -> current;
                        });
    }

    public SessionState.Closed close() {
        SessionState end =
                transition(
                        "close",
                        current ->
                                switch (current) {
                                    case SessionState.Draining draining -> draining.closed();
                                    case SessionState.Failed failed -> failed.closed();
                                    case SessionState.Closed closed -> closed;
                                    case SessionState.Connecting _, SessionState.Ready _ ->
                                            throw illegal("close", current);
                                });
        return (SessionState.Closed) end;
    }

    /** Waits until the session drains or has failed. */
    public void awaitEnding() throws InterruptedException {
        ending.await();
    }

    /** Changes and logs the state. No other method does either. */
    private synchronized SessionState transition(
            String operation, UnaryOperator<SessionState> change) {
        SessionState from = state;
        SessionState to = change.apply(from);
        if (to == from) {
            return to;
        }
        state = to;
        switch (to) {
            case SessionState.Ready _ -> latch.open();
            case SessionState.Draining _, SessionState.Failed _ -> {
                latch.shut();
                ending.countDown();
            }
            case SessionState.Connecting _, SessionState.Closed _ -> {}
        }
        // The supervisor reports a failed opening, once.
        Level level = wasReady || to instanceof SessionState.Ready ? Level.INFO : Level.DEBUG;
        wasReady = level == Level.INFO;
        log.atLevel(level)
                .addKeyValue("session", id)
                .addKeyValue("operation", operation)
                .addKeyValue("from", from.label())
                .addKeyValue("to", to.label())
                .addKeyValue("reason", reason(to))
                .log("Session state changed");
        return to;
    }

    private static String reason(SessionState state) {
        return switch (state) {
            case SessionState.Connecting _, SessionState.Ready _ -> "";
            case SessionState.Draining draining -> draining.reason();
            case SessionState.Failed failed -> failed.cause();
            case SessionState.Closed closed -> closed.cause();
        };
    }

    private IllegalStateException illegal(String operation, SessionState current) {
        return new IllegalStateException(
                "Cannot " + operation + " session \"" + id + "\" in state " + current.label());
    }
}
