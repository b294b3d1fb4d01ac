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
 * A call as server-sent events: any number of {@code progress}, then a {@code result} or an {@code
 * error}.
 */
final class CallEvents implements StreamedWork.Writer<CallEvents.Event> {

    private final ServerSentEvents events;

    /**
     * One event.
     *
     * @param data a JSON document, encoded, as it is known then how much waits for a slow caller
     */
    record Event(String name, byte[] data) {

        private static Event of(String name, JsonNode data) {
            return new Event(name, Json.MAPPER.writeValueAsBytes(data));
        }

        /** The token is between orlojd and the server. */
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

    /** Sends the head, so that the caller knows that the call is under way. */
    void open() throws IOException {
        events.open();
    }

    /**
     * @param event null for a line that means nothing, to keep the connection up
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
