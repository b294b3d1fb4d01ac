package dev.orloj.cli.http;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;

import tools.jackson.core.JacksonException;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Follows the changes of a selection, across interrupted connections. */
public final class Follower {

    /** Servers send a bookmark every minute; a server that is silent for longer counts as gone. */
    private static final Duration SILENCE = Duration.ofSeconds(150);

    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int ATTEMPTS = 20;

    private final ApiConnection connection;
    private final InstantSource clock;

    public Follower(ApiConnection connection, InstantSource clock) {
        this.connection = connection;
        this.clock = clock;
    }

    /**
     * Passes on every change after {@code version} until one is sufficient or the deadline passes.
     *
     * @param request of the collection
     * @param deadline empty for none
     * @return whether a change was sufficient
     * @throws ApiException (Expired) when the server no longer has the revision: list again
     */
    public boolean follow(
            Request request,
            String version,
            Optional<Instant> deadline,
            Predicate<WatchedEvent> isEnough) {
        String from = version;
        int failures = 0;
        while (!isOver(deadline)) {
            try (WatchLines lines = open(request, from, deadline)) {
                failures = 0;
                Optional<WatchedEvent> event = lines.next();
                while (event.isPresent()) {
                    WatchedEvent change = event.get();
                    if (change.type().equals("ERROR")) {
                        throw ResponseErrors.fromStatus(change.object());
                    }
                    from = change.version().isEmpty() ? from : change.version();
                    if (!change.isBookmark() && isEnough.test(change)) {
                        return true;
                    }
                    event = isOver(deadline) ? Optional.empty() : lines.next();
                }
            } catch (IOException | JacksonException e) {
                // interrupted: resumed below at the same revision
            } catch (ConnectionException e) {
                failures++;
                if (failures == ATTEMPTS) {
                    throw e;
                }
            } catch (ApiException e) {
                failures++;
                if (!passes(e) || failures == ATTEMPTS) {
                    throw e;
                }
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return false;
    }

    /** Returns whether to retry: the server is starting, stopping or overloaded. */
    private static boolean passes(ApiException e) {
        return e.reason() == ErrorReason.SERVICE_UNAVAILABLE
                || e.reason() == ErrorReason.TOO_MANY_REQUESTS;
    }

    private WatchLines open(Request request, String version, Optional<Instant> deadline) {
        Duration timeout = SILENCE;
        Request watch =
                request.with("watch", "true")
                        .with("allowWatchBookmarks", "true")
                        .with("resourceVersion", version);
        if (deadline.isPresent()) {
            Duration left = Duration.between(clock.instant(), deadline.get());
            watch = watch.with("timeoutSeconds", Long.toString(left.toSeconds() + 1));
            timeout = left.compareTo(SILENCE) < 0 ? left.plusSeconds(1) : SILENCE;
        }
        return new WatchLines(connection.send(watch.waiting(timeout)));
    }

    private boolean isOver(Optional<Instant> deadline) {
        return deadline.map(end -> !clock.instant().isBefore(end)).orElse(false);
    }

    /** Returns whether a watch must start over from a new list. */
    public static boolean isExpired(ApiException e) {
        return e.reason() == ErrorReason.EXPIRED;
    }
}
