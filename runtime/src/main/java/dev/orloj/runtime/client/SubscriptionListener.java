package dev.orloj.runtime.client;

import dev.orloj.api.Backoff;
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
 * Keeps one {@code subscriptions/listen} request open to a server of 2026-07-28 and repeats it when
 * the connection ends. Changes in between may be missed. Runs on its own thread until it is
 * interrupted or the server refuses.
 */
final class SubscriptionListener implements Runnable {

    private static final Backoff BACKOFF = Backoff.of(Duration.ofSeconds(1), Duration.ofMinutes(1));

    /** Practically unlimited, but still representable in nanoseconds. */
    private static final Duration TIMEOUT = Duration.ofDays(365);

    private final Transport transport;
    private final Era era;
    private final Scheduler clock;
    private final ObjectNode wanted;
    private final Runnable missed;
    private final Consumer<RuntimeException> failed;

    /**
     * @param wanted the filter of changes
     * @param missed runs when changes may have been missed, right before the request is repeated
     * @param failed called with the reason of each failed attempt
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
        int failures = 0;
        try {
            long began = clock.millis();
            while (transport.isOpen() && listen()) {
                boolean lasted = clock.millis() - began > BACKOFF.max().toMillis();
                failures = lasted ? 1 : failures + 1;
                clock.await(BACKOFF.delay(failures));
                began = clock.millis();
                missed.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns false when a retry is useless. */
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
