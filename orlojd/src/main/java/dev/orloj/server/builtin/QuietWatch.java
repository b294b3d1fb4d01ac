package dev.orloj.server.builtin;

import dev.orloj.api.ResourceVersion;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchClosedException;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A watch of resources that never change: sends at most the initial state, then only bookmarks. */
final class QuietWatch implements Watch<ObjectNode> {

    private static final Duration BETWEEN_BOOKMARKS = Duration.ofMinutes(1);

    private final Queue<WatchEvent<ObjectNode>> initial = new ArrayDeque<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ResourceVersion version;

    QuietWatch(ResourceVersion version) {
        this.version = version;
    }

    static QuietWatch beginningWith(List<ObjectNode> documents, ResourceVersion version) {
        QuietWatch watch = new QuietWatch(version);
        documents.forEach(document -> watch.initial.add(new WatchEvent.Added<>(document)));
        watch.initial.add(new WatchEvent.Bookmark<>(version, true));
        return watch;
    }

    @Override
    public Optional<WatchEvent<ObjectNode>> next(Duration timeout) throws InterruptedException {
        WatchEvent<ObjectNode> known = initial.poll();
        if (known != null) {
            return Optional.of(known);
        }
        boolean bookmark = timeout.compareTo(BETWEEN_BOOKMARKS) > 0;
        Duration wait = bookmark ? BETWEEN_BOOKMARKS : timeout;
        if (closed.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new WatchClosedException("the server stops");
        }
        return bookmark ? Optional.of(new WatchEvent.Bookmark<>(version, false)) : Optional.empty();
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
