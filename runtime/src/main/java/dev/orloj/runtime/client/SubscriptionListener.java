package dev.orloj.runtime.client;

import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The wish to hear of changes, which a server of 2026-07-28 wants to be told ("Subscriptions") and
 * forgets when the connection ends. What changed before it was told again nobody knows. Runs on a
 * thread of its own until it is interrupted, or the server will not have it.
 */
final class SubscriptionListener implements Runnable {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** As good as for ever, and still in nanoseconds. */
    private static final Duration TIMEOUT = Duration.ofDays(365);

    private final Transport transport;
    private final Era era;
    private final Scheduler clock;
    private final ObjectNode wanted;
    private final Runnable missed;
    private final Consumer<RuntimeException> failed;

    /**
     * @param wanted the filter that says which changes are of interest
     * @param missed runs when changes may have been missed, right before the server is told again
     * @param failed hears why the server does not know of the wish, each time
     */
    SubscriptionListener(
            Transport transport,
            Era era,
            Scheduler clock,
            ObjectNode wanted,
            Runnable missed,
            Consumer<RuntimeException> failed) {
        this.transport = transport;
        this.era = era;
        this.clock = clock;
        this.wanted = wanted.deepCopy();
        this.missed = missed;
        this.failed = failed;
    }

    @Override
    public void run() {
        Duration pause = FIRST_PAUSE;
        try {
            long began = clock.millis();
            while (transport.isOpen() && listen()) {
                boolean lasted = clock.millis() - began > LONGEST_PAUSE.toMillis();
                pause = lasted ? FIRST_PAUSE : pause;
                clock.await(pause);
                pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
                began = clock.millis();
                missed.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** False when it is no use to ask again. */
    private boolean listen() throws InterruptedException {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.set("notifications", wanted.deepCopy());
        try {
            transport.request(
                    era.write("subscriptions/listen", params), RequestDeadline.after(TIMEOUT));
            return true;
        } catch (JsonRpcException e) {
            failed.accept(e);
            return false;
        } catch (RequestTimeoutException | TransportException e) {
            failed.accept(e);
            return true;
        }
    }
}
