package dev.orloj.server.rest;

import dev.orloj.api.codec.Json;

import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * A call as server-sent events: any number of {@code progress}, then a {@code result} or an {@code
 * error}.
 */
final class CallEvents {

    private final HttpServletResponse response;

    /** One event. */
    record Event(String name, JsonNode data) {

        /** The token is between orlojd and the server. */
        static Event progress(ObjectNode params) {
            return new Event("progress", params.deepCopy().without(Set.of("progressToken")));
        }

        static Event result(JsonNode result) {
            return new Event("result", result);
        }

        static Event error(JsonNode status) {
            return new Event("error", status);
        }
    }

    CallEvents(HttpServletResponse response) {
        this.response = response;
    }

    /** Sends the head, so that the caller knows that the call is under way. */
    void open() throws IOException {
        response.setStatus(200);
        response.setContentType(CallPreferences.EVENTS);
        response.setHeader("Cache-Control", "no-cache, no-transform");
        response.setHeader("X-Accel-Buffering", "no");
        response.flushBuffer();
    }

    /**
     * @param event null for a line that means nothing, to keep the connection up
     */
    void write(@Nullable Event event) throws IOException {
        OutputStream out = response.getOutputStream();
        if (event == null) {
            out.write(":\n\n".getBytes(StandardCharsets.US_ASCII));
        } else {
            out.write(("event: " + event.name() + "\ndata: ").getBytes(StandardCharsets.US_ASCII));
            out.write(Json.MAPPER.writeValueAsBytes(event.data()));
            out.write("\n\n".getBytes(StandardCharsets.US_ASCII));
        }
        response.flushBuffer();
    }
}
