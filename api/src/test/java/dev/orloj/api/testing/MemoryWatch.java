package dev.orloj.api.testing;

import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchClosedException;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Predicate;

/** A place in the log of a {@link MemoryResourceClient}. */
final class MemoryWatch<R extends Resource> implements Watch<R> {

    private final MemoryResourceClient client;
    private final Kind<R> kind;
    private final Predicate<ObjectNode> selection;
    private final Queue<WatchEvent<R>> pending = new ArrayDeque<>();
    private long position;
    private volatile boolean closed;

    MemoryWatch(
            MemoryResourceClient client,
            Kind<R> kind,
            Predicate<ObjectNode> selection,
            long position) {
        this.client = client;
        this.kind = kind;
        this.selection = selection;
        this.position = position;
    }

    /** Delivers the present state before any change. */
    void publish(ObjectNode present) {
        pending.add(new WatchEvent.Added<>(client.typed(kind, present)));
    }

    @Override
    public Optional<WatchEvent<R>> next(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (pending.isEmpty()) {
            for (MemoryDocuments.Change change : client.awaitChanges(this, position, deadline)) {
                position = change.version();
                if (change.kind().equals(kind)) {
                    event(change).ifPresent(pending::add);
                }
            }
            if (pending.isEmpty() && System.nanoTime() >= deadline) {
                return Optional.empty();
            }
        }
        if (closed) {
            throw new WatchClosedException("The watch is closed");
        }
        return Optional.ofNullable(pending.poll());
    }

    private Optional<WatchEvent<R>> event(MemoryDocuments.Change change) {
        boolean before = change.before() != null && selection.test(change.before());
        boolean after = change.after() != null && selection.test(change.after());
        if (!before && !after) {
            return Optional.empty();
        }
        R resource = client.typed(kind, change.last());
        return Optional.of(
                before && after
                        ? new WatchEvent.Modified<>(resource)
                        : after
                                ? new WatchEvent.Added<>(resource)
                                : new WatchEvent.Deleted<>(resource));
    }

    boolean isClosed() {
        return closed;
    }

    /** Ends the watch from the side of the store. */
    void cut() {
        closed = true;
    }

    @Override
    public void close() {
        closed = true;
        client.wakeWatches();
    }
}
