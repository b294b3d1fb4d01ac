package dev.orloj.runtime.container.engine;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Event;
import com.github.dockerjava.api.model.EventType;
import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.Frozen;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads one stream of events for all containers of this orlojd. For a container that the engine
 * removes at once, only the stream reports how it ended and whether it ran out of memory.
 * Thread-safe.
 *
 * <p>The stream is opened on first use and, after it broke, as soon as the engine responds. It then
 * requests the events of the time in between, which an engine keeps until it restarts.
 */
public final class EngineEvents implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EngineEvents.class);
    private static final long NANOS = 1_000_000_000;

    private final EngineConnection engine;
    private final Map<String, String> labels;
    private final Runnable whenLost;
    private final Map<String, ContainerEvents> watches = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private @Nullable Stream open;

    @GuardedBy("this")
    private boolean closed = false;

    private volatile long latestNanos = 0;

    /**
     * @param labels labels of the containers
     * @param whenLost called when the stream broke; must return at once
     */
    public EngineEvents(EngineConnection engine, Map<String, String> labels, Runnable whenLost) {
        this.engine = engine;
        this.labels = labels;
        this.whenLost = whenLost;
    }

    /** Opens the stream and returns when no further event can be missed. */
    public void open() {
        awaitStart(stream());
    }

    /** Returns the events of a container that has not been started yet. */
    public ContainerEvents watch(String containerId) {
        return watches.computeIfAbsent(containerId, id -> new ContainerEvents());
    }

    /** Returns whether the events of a container are being watched. */
    public boolean isWatched(String containerId) {
        return watches.containsKey(containerId);
    }

    /** Returns the ids of the watched containers. */
    Set<String> watched() {
        return Frozen.set(watches.keySet());
    }

    /** Records the end of a container for which no event arrived. */
    void ended(String containerId, int exitCode, boolean outOfMemory) {
        ContainerEvents watch = watches.get(containerId);
        if (watch != null) {
            if (outOfMemory) {
                watch.ranOutOfMemory();
            }
            watch.died(exitCode);
        }
    }

    /** Records that the container does not exist, regardless of the events. */
    void forget(String containerId) {
        ContainerEvents watch = watches.remove(containerId);
        if (watch != null) {
            watch.gone();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (open != null) {
            open.close();
        }
    }

    private synchronized Stream stream() {
        Stream current = open;
        if (current == null) {
            Stream next = new Stream();
            engine.call(
                    "report events",
                    client -> {
                        var command =
                                client.eventsCmd()
                                        .withEventTypeFilter(EventType.CONTAINER)
                                        .withLabelFilter(labels);
                        if (latestNanos > 0) {
                            command.withSince(
                                    latestNanos / NANOS
                                            + "."
                                            + "%09d".formatted(latestNanos % NANOS));
                        }
                        return command.exec(next);
                    });
            open = next;
            current = next;
        }
        return current;
    }

    private void awaitStart(Stream stream) {
        try {
            stream.started.join();
        } catch (CompletionException e) {
            throw engine.unreachable(
                    "report events",
                    new IllegalStateException(Objects.requireNonNull(e.getCause())));
        }
    }

    private void accept(Event event) {
        String id = event.getActor() == null ? event.getId() : event.getActor().getId();
        ContainerEvents watch = id == null ? null : watches.get(id);
        if (id != null && watch != null) {
            accept(id, watch, event);
        }
        Long time = event.getTimeNano();
        latestNanos = time == null ? latestNanos : time;
    }

    private void accept(String containerId, ContainerEvents watch, Event event) {
        switch (Objects.requireNonNullElse(event.getAction(), "")) {
            case "oom" -> watch.ranOutOfMemory();
            case "die" -> watch.died(exitCode(event));
            // Podman sends remove, and finds nothing when only one of the two is requested.
            case "destroy", "remove" -> forget(containerId);
            default -> {}
        }
    }

    private static int exitCode(Event event) {
        Map<String, String> attributes =
                event.getActor() == null ? null : event.getActor().getAttributes();
        String code = attributes == null ? null : attributes.get("exitCode");
        return code == null ? -1 : Integer.parseInt(code);
    }

    private void lost(Stream stream, String why) {
        if (discard(stream)) {
            log.atWarn()
                    .addKeyValue("engine", engine.name())
                    .addKeyValue("error", why)
                    .log("Events of the container engine are lost");
            whenLost.run();
        }
    }

    /** Discards a stream, and returns whether it was the current one. */
    private synchronized boolean discard(Stream stream) {
        if (open != stream || closed) {
            return false;
        }
        open = null;
        return true;
    }

    private final class Stream implements ResultCallback<Event> {

        private final CompletableFuture<Closeable> started = new CompletableFuture<>();

        @Override
        public void onStart(Closeable connection) {
            started.complete(connection);
        }

        @Override
        public void onNext(Event event) {
            accept(event);
        }

        @Override
        public void onError(Throwable failure) {
            boolean neverStarted = started.completeExceptionally(failure);
            if (neverStarted) {
                discard(this);
            } else {
                lost(this, String.valueOf(failure.getMessage()));
            }
        }

        @Override
        public void onComplete() {
            lost(this, "the stream ended");
        }

        @Override
        public void close() {
            Closeable connection = started.getNow(null);
            if (connection != null) {
                try {
                    connection.close();
                } catch (IOException e) {
                    // The stream is closed.
                }
            }
        }
    }
}
