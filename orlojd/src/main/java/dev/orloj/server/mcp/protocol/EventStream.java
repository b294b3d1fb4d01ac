package dev.orloj.server.mcp.protocol;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.server.mcp.resumption.EventId;
import dev.orloj.server.mcp.resumption.Resumption;
import dev.orloj.server.sse.ServerSentEvents;

import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes a response as a stream of server-sent events, one message in each. For one thread. */
public final class EventStream {

    private static final String MESSAGE = "message";

    private final ServerSentEvents events;

    public EventStream(HttpServletResponse response) {
        this.events = new ServerSentEvents(response);
    }

    /** Sends the head of the response, so that the client sees that the stream is open. */
    public void open() throws IOException {
        events.open();
    }

    /** Writes the path to which a client of 2024-11-05 posts; sent with the next {@link #flush}. */
    public void writeEndpoint(String path) throws IOException {
        events.write("endpoint", path.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a message; sent with the next {@link #flush}. */
    public void write(JsonRpcMessage message) throws IOException {
        write(JsonRpcCodec.encode(message));
    }

    /** Writes an encoded message; sent with the next {@link #flush}. */
    public void write(byte[] message) throws IOException {
        events.writeInLines(MESSAGE, message);
    }

    /** Like {@link #write(byte[])}, with an id after which the client can resume. */
    public void write(EventId id, byte[] message) throws IOException {
        events.writeInLines(id.toString(), MESSAGE, message);
    }

    /** Writes an event without a message, after which the client can resume. */
    public void prime(EventId id) throws IOException {
        events.prime(id.toString(), Resumption.RETRY_MILLIS);
    }

    /** Sends a comment line, to keep the connection open and to detect whether it still is. */
    public void beat() throws IOException {
        events.beat();
    }

    /**
     * @throws IOException when the client is gone, or reads too slowly
     */
    public void flush() throws IOException {
        events.flush();
    }
}
