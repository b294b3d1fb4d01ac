package dev.orloj.cli.http;

import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchClosedException;
import dev.orloj.api.codec.ResourceCodec;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A watch over one connection: a thread reads ahead, so that the reader can give up waiting. */
final class HttpWatch<R extends Resource> implements Watch<R> {

    /** Servers send a bookmark every minute: who is silent for longer is gone. */
    static final Duration SILENCE = Duration.ofSeconds(150);

    private static final int READ_AHEAD = 1_000;

    /** What the reading thread found. */
    private sealed interface Found<R> {

        record Event<R>(WatchEvent<R> event) implements Found<R> {}

        record Failure<R>(RuntimeException cause) implements Found<R> {}
    }

    private final Kind<R> kind;
    private final Answer answer;
    private final BlockingQueue<Found<R>> found = new LinkedBlockingQueue<>(READ_AHEAD);
    private final Thread reader;

    HttpWatch(Kind<R> kind, Answer answer) {
        this.kind = kind;
        this.answer = answer;
        this.reader = Thread.ofVirtual().name("watch-" + kind.plural()).start(this::readAll);
    }

    private void readAll() {
        RuntimeException end = new WatchClosedException("The server ended the watch");
        try (WatchLines lines = new WatchLines(answer)) {
            Optional<WatchedEvent> event = lines.next();
            while (event.isPresent()) {
                found.put(new Found.Event<>(typed(event.get())));
                event = lines.next();
            }
        } catch (JacksonException e) {
            end = new WatchClosedException("The watch was cut off within an event", e);
        } catch (IOException e) {
            end = new WatchClosedException("The watch was cut off: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            end = e;
        } catch (InterruptedException e) {
            return; // closed by its reader
        }
        try {
            found.put(new Found.Failure<>(end));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private WatchEvent<R> typed(WatchedEvent event) {
        if (event.isBookmark()) {
            return new WatchEvent.Bookmark<>(
                    ResourceVersion.parse(event.version()),
                    event.object()
                            .at("/metadata/annotations/k8s.io~1initial-events-end")
                            .asString("")
                            .equals("true"));
        }
        return switch (event.type()) {
            case "ADDED" -> new WatchEvent.Added<>(resource(event));
            case "MODIFIED" -> new WatchEvent.Modified<>(resource(event));
            case "DELETED" -> new WatchEvent.Deleted<>(resource(event));
            default -> throw ResponseErrors.fromStatus(event.object());
        };
    }

    private R resource(WatchedEvent event) {
        return ResourceCodec.fromDocument(kind, (ObjectNode) event.object());
    }

    @Override
    public Optional<WatchEvent<R>> next(Duration timeout) throws InterruptedException {
        Found<R> next = found.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        return switch (next) {
            case null -> Optional.empty();
            case Found.Event<R>(WatchEvent<R> event) -> Optional.of(event);
            case Found.Failure<R>(RuntimeException cause) -> {
                found.put(next); // for whoever asks again
                throw cause;
            }
        };
    }

    @Override
    public void close() {
        found.clear();
        answer.close();
        reader.interrupt();
        found.offer(new Found.Failure<>(new WatchClosedException("The watch is closed")));
    }
}
