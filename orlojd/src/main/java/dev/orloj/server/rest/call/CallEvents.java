package dev.orloj.server.rest.call;

import dev.orloj.api.codec.Json;
import dev.orloj.server.sse.ServerSentEvents;
import dev.orloj.server.stream.StreamedWork;

import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.Set;

/**
 * Writes a call as server-sent events: any number of {@code progress}, then a {@code result} or an
 * {@code error}.
 */
final class CallEvents implements StreamedWork.Writer<CallEvents.Event> {

    private final ServerSentEvents events;

    /**
     * One event.
     *
     * @param data a JSON document, encoded so that the size of the queue is known
     */
    record Event(String name, byte[] data) {

        private static Event of(String name, JsonNode data) {
            return new Event(name, Json.MAPPER.writeValueAsBytes(data));
        }

        /** Without the token, which is between orlojd and the server. */
        static Event progress(ObjectNode params) {
            return of("progress", params.deepCopy().without(Set.of("progressToken")));
        }

        static Event result(JsonNode result) {
            return of("result", result);
        }

        static Event error(JsonNode status) {
            return of("error", status);
        }
    }

    CallEvents(HttpServletResponse response) {
        this.events = new ServerSentEvents(response);
    }

    /** Sends the head, so that the client sees that the call has begun. */
    void open() throws IOException {
        events.open();
    }

    /**
     * @param event null for a comment line, which keeps the connection open
     */
    @Override
    public void write(@Nullable Event event) throws IOException {
        if (event == null) {
            events.beat();
        } else {
            events.write(event.name(), event.data());
            events.flush();
        }
    }

    @Override
    public long bytes(Event event) {
        return event.data().length;
    }
}
