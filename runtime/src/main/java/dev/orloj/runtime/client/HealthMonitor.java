package dev.orloj.runtime.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.client.SessionPolicy.HealthProbe;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.TransportException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Sends {@code ping} periodically and fails the session after too many missed replies. Ignores
 * missed replies while a call is in flight, because a server that handles one request at a time
 * replies later, unless a call has timed out before. Any response, including an error, resets the
 * count. Thread-safe.
 */
final class HealthMonitor {

    /** Sends one ping and returns when the server has replied. */
    @FunctionalInterface
    interface Ping {
        void send(Duration timeout) throws InterruptedException;
    }

    private final Scheduler clock;
    private final Ping ping;
    private final BooleanSupplier busy;
    private final Consumer<TransportException> whenDead;

    /** Whether a call timed out since the last response. */
    private volatile boolean suspect = false;

    @GuardedBy("this")
    private Optional<HealthProbe> probe;

    @GuardedBy("this")
    private int failures = 0;

    @GuardedBy("this")
    private Scheduler.@Nullable Task timer;

    @GuardedBy("this")
    private boolean started = false;

    @GuardedBy("this")
    private boolean stopped = false;

    /**
     * @param probe empty to disable the monitor
     * @param busy whether calls are in flight
     * @param whenDead called after too many consecutive missed replies
     */
    HealthMonitor(
            Optional<HealthProbe> probe,
            Scheduler clock,
            Ping ping,
            BooleanSupplier busy,
            Consumer<TransportException> whenDead) {
        this.probe = probe;
        this.clock = clock;
        this.ping = ping;
        this.busy = busy;
        this.whenDead = whenDead;
    }

    synchronized void start() {
        started = true;
        schedule();
    }

    /** Changes the probe. */
    synchronized void follow(Optional<HealthProbe> changed) {
        if (!changed.equals(probe)) {
            probe = changed;
            schedule();
        }
    }

    void answered() {
        if (suspect) {
            suspect = false;
        }
    }

    void unanswered() {
        suspect = true;
    }

    synchronized void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private synchronized void schedule() {
        if (timer != null) {
            timer.cancel();
        }
        if (started && !stopped) {
            timer = probe.map(this::schedule).orElse(null);
        }
    }

    private Scheduler.Task schedule(HealthProbe settings) {
        return clock.schedule(
                settings.period(),
                () -> Thread.ofVirtual().name("orloj-health").start(() -> look(settings)));
    }

    private void look(HealthProbe settings) {
        try {
            ping.send(settings.timeout());
            alive();
        } catch (JsonRpcException e) {
            alive();
        } catch (RequestTimeoutException | TransportException e) {
            missed(settings, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        schedule();
    }

    private synchronized void alive() {
        suspect = false;
        failures = 0;
    }

    private void missed(HealthProbe settings, String why) {
        if (busy.getAsBoolean() && !suspect) {
            return;
        }
        int inARow;
        synchronized (this) {
            inARow = stopped ? 0 : ++failures;
        }
        if (inARow >= settings.failures()) {
            whenDead.accept(
                    new TransportException(
                            "Health probe failed %d times in a row: %s".formatted(inARow, why),
                            true));
        }
    }
}
