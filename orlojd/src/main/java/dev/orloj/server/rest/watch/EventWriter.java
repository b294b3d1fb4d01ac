package dev.orloj.server.rest.watch;

import dev.orloj.api.ResourceVersion;
import dev.orloj.api.Status;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.presentation.Presentation;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;

/** Writes the events of one watch in the form that its client requested. */
final class EventWriter {

    private final EventSink sink;
    private final EncodedEvents encoded;
    private final Presentation presentation;
    private final boolean bookmarks;
    private final boolean initialEventsEnd;

    EventWriter(
            EventSink sink,
            EncodedEvents encoded,
            Presentation presentation,
            boolean bookmarks,
            boolean initialEventsEnd) {
        this.sink = sink;
        this.encoded = encoded;
        this.presentation = presentation;
        this.bookmarks = bookmarks;
        this.initialEventsEnd = initialEventsEnd;
    }

    /** Sends the head of the response, so that the client sees that the watch has begun. */
    void open() throws IOException {
        sink.open();
    }

    void write(WatchEvent<ObjectNode> event) throws IOException {
        switch (event) {
            case WatchEvent.Added<ObjectNode>(ObjectNode document) ->
                    sink.send(encoded.of("ADDED", document, presentation));
            case WatchEvent.Modified<ObjectNode>(ObjectNode document) ->
                    sink.send(encoded.of("MODIFIED", document, presentation));
            case WatchEvent.Deleted<ObjectNode>(ObjectNode document) ->
                    sink.send(encoded.of("DELETED", document, presentation));
            case WatchEvent.Bookmark<ObjectNode>(ResourceVersion version, boolean initialEnd) -> {
                boolean end = initialEnd && initialEventsEnd;
                if (bookmarks && (end || !initialEnd)) {
                    send("BOOKMARK", presentation.bookmark(version, end));
                }
            }
        }
    }

    void error(Status status) throws IOException {
        send("ERROR", Json.MAPPER.valueToTree(status));
    }

    private void send(String type, ObjectNode object) throws IOException {
        sink.send(EncodedEvents.encode(type, object));
    }

    /** Sends what was written. */
    void flush() throws IOException {
        sink.flush();
    }
}
