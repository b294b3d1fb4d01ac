package dev.orloj.server.rest;

import dev.orloj.api.ResourceVersion;
import dev.orloj.api.Status;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.codec.Json;

import jakarta.servlet.http.HttpServletResponse;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.OutputStream;

/** Writes the events of one watch, each on a line that is sent at once. */
final class EventWriter {

    private final HttpServletResponse response;
    private final Presentation presentation;
    private final boolean bookmarks;
    private final boolean initialEventsEnd;
    private boolean open;

    EventWriter(Exchange exchange, Presentation presentation, ReadParameters parameters) {
        this.response = exchange.response();
        this.presentation = presentation;
        this.bookmarks = exchange.query().isOn("allowWatchBookmarks");
        this.initialEventsEnd = parameters.initialEvents().orElse(false);
    }

    /** Sends the head of the answer, so that the client knows that the watch stands. */
    void open() throws IOException {
        if (!open) {
            response.setStatus(200);
            response.setContentType(MediaTypes.JSON);
            response.setHeader("Cache-Control", Answers.DYNAMIC);
            response.flushBuffer();
            open = true;
        }
    }

    void write(WatchEvent<ObjectNode> event) throws IOException {
        switch (event) {
            case WatchEvent.Added<ObjectNode>(ObjectNode document) ->
                    line("ADDED", presentation.event(document));
            case WatchEvent.Modified<ObjectNode>(ObjectNode document) ->
                    line("MODIFIED", presentation.event(document));
            case WatchEvent.Deleted<ObjectNode>(ObjectNode document) ->
                    line("DELETED", presentation.event(document));
            case WatchEvent.Bookmark<ObjectNode>(ResourceVersion version, boolean initialEnd) -> {
                boolean end = initialEnd && initialEventsEnd;
                if (bookmarks && (end || !initialEnd)) {
                    line("BOOKMARK", presentation.bookmark(version, end));
                }
            }
        }
    }

    void error(Status status) throws IOException {
        line("ERROR", Json.MAPPER.valueToTree(status));
    }

    private void line(String type, ObjectNode object) throws IOException {
        ObjectNode event = Json.MAPPER.createObjectNode();
        event.put("type", type);
        event.set("object", object);
        OutputStream out = response.getOutputStream();
        out.write(Json.MAPPER.writeValueAsBytes(event));
        out.write('\n');
        out.flush();
    }
}
