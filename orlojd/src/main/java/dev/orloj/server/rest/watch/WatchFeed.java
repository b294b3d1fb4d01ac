package dev.orloj.server.rest.watch;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchClosedException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A watch with its timeout, independent of its transport. A watch that begins at a compacted
 * revision consists of that error. {@link #close} may come from another thread; all else is for
 * one.
 */
final class WatchFeed implements AutoCloseable {

    private static final int MAX_AT_ONCE = 100;

    private final InstantSource clock;
    private final Instant end;
    private final @Nullable Watch<ObjectNode> watch;
    private final @Nullable Status expired;

    /**
     * @throws ApiException when there is nothing to watch; but not when it is too old
     */
    WatchFeed(Supplier<Watch<ObjectNode>> source, Duration timeout, InstantSource clock) {
        this.clock = clock;
        this.end = clock.instant().plus(timeout);
        Watch<ObjectNode> opened = null;
        Status refusal = null;
        try {
            opened = source.get();
        } catch (ApiException e) {
            if (e.reason() != ErrorReason.EXPIRED) {
                throw e;
            }
            refusal = e.toStatus();
        }
        this.watch = opened;
        this.expired = refusal;
    }

    /** Sends events until the timeout, or until the watch is closed. */
    void sendTo(EventWriter events) throws IOException, InterruptedException {
        events.open();
        if (expired != null) {
            events.error(expired);
            events.flush();
        }
        if (watch == null) {
            return;
        }
        try {
            forward(watch, events);
        } catch (WatchClosedException e) {
            // Ends without an error: a client that resumes loses nothing.
        } catch (ApiException e) {
            events.error(e.toStatus());
            events.flush();
        }
    }

    private void forward(Watch<ObjectNode> open, EventWriter events)
            throws IOException, InterruptedException {
        while (true) {
            Duration left = Duration.between(clock.instant(), end);
            if (!left.isPositive()) {
                return;
            }
            Optional<WatchEvent<ObjectNode>> event = open.next(left);
            // Sends what is there already together: one packet for a burst.
            for (int sent = 1; event.isPresent(); sent++) {
                events.write(event.get());
                event = sent < MAX_AT_ONCE ? open.next(Duration.ZERO) : Optional.empty();
            }
            events.flush();
        }
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
    }
}
