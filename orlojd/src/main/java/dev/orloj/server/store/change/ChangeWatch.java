package dev.orloj.server.store.change;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchClosedException;
import dev.orloj.server.store.table.DatabaseFailure;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * One watch: a position in the log and a selection. It has no queue that could overflow: what its
 * reader has not read yet stays in the window of the feed, and later in the log.
 *
 * <p>Documents of events may be shared with other watches and must not be changed.
 */
public final class ChangeWatch implements Watch<ObjectNode> {

    private static final int READ_LIMIT = 500;

    private final ChangeFeed feed;
    private final ChangeSelector selector;
    private final InstantSource clock;
    private final WakeUp wakeUp = new WakeUp();
    private final long epoch;

    // The reader's own.
    private final Deque<WatchEvent<ObjectNode>> ready = new ArrayDeque<>();
    private @Nullable PresentState present;
    private long position;
    private Instant lastSent;

    private volatile boolean closed;

    /**
     * The start of a watch.
     *
     * @param epoch the history that the position belongs to
     * @param position the watch delivers the changes after it
     * @param present the state at the position, delivered first; null to deliver changes only
     */
    public record Start(long epoch, long position, @Nullable PresentState present) {}

    public ChangeWatch(ChangeFeed feed, ChangeSelector selector, Start start, InstantSource clock) {
        this.feed = feed;
        this.selector = selector;
        this.clock = clock;
        this.epoch = start.epoch();
        this.position = start.position();
        this.present = start.present();
        this.lastSent = clock.instant();
    }

    @Override
    public Optional<WatchEvent<ObjectNode>> next(Duration timeout) throws InterruptedException {
        Instant deadline = clock.instant().plus(timeout);
        while (true) {
            if (closed) {
                throw new WatchClosedException("The watch was closed: resume it");
            }
            Optional<WatchEvent<ObjectNode>> event = DatabaseFailure.reading(this::poll);
            if (event.isPresent()) {
                lastSent = clock.instant();
                return event;
            }
            Instant now = clock.instant();
            Instant bookmarkDue = lastSent.plus(feed.bookmarkEvery());
            if (!now.isBefore(bookmarkDue)) {
                lastSent = now;
                return Optional.of(bookmark(false));
            }
            if (!now.isBefore(deadline)) {
                return Optional.empty();
            }
            Instant until = deadline.isBefore(bookmarkDue) ? deadline : bookmarkDue;
            wakeUp.await(Duration.between(now, until));
        }
    }

    /** The next event, if there is one without waiting. */
    private Optional<WatchEvent<ObjectNode>> poll() {
        while (ready.isEmpty()) {
            PresentState state = present;
            if (state != null) {
                state.nextPage().forEach(item -> ready.add(new WatchEvent.Added<>(item)));
                if (state.isComplete()) {
                    present = null;
                    ready.add(bookmark(true));
                }
                continue;
            }
            ChangeWindow window = feed.window();
            if (window.epoch() != epoch) {
                throw ApiException.expired("the store was restored to another state: list again");
            }
            if (position < window.floor()) {
                readLog();
            } else if (!advance(window)) {
                return Optional.empty();
            }
        }
        return Optional.of(ready.remove());
    }

    private void readLog() {
        ChangeLog.Page page = feed.readLog(selector.kind(), position, READ_LIMIT);
        page.bounds().check(position);
        for (Change change : page.changes()) {
            selector.toEvent(change).ifPresent(ready::add);
        }
        position = page.next();
    }

    /** Moves to the next event in the window; false at its end. */
    private boolean advance(ChangeWindow window) {
        List<Change> changes = window.after(position);
        for (Change change : changes) {
            position = change.revision();
            Optional<WatchEvent<ObjectNode>> event = selector.toEvent(change);
            if (event.isPresent()) {
                ready.add(event.get());
                return true;
            }
        }
        return false;
    }

    private WatchEvent<ObjectNode> bookmark(boolean initialEventsEnd) {
        return new WatchEvent.Bookmark<>(new ResourceVersion(position), initialEventsEnd);
    }

    String kindColumn() {
        return selector.kindColumn();
    }

    void wake() {
        wakeUp.raise();
    }

    @Override
    public void close() {
        closed = true;
        feed.deregister(this);
        wakeUp.raise();
    }
}
