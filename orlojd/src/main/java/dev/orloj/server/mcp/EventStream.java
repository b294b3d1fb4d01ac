package dev.orloj.server.mcp;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** An answer that is a stream of server-sent events, one message in each. For one thread. */
final class EventStream {

    static final String MEDIA_TYPE = "text/event-stream";

    private static final byte[] BEGIN = "event: message\ndata: ".getBytes(StandardCharsets.UTF_8);
    private static final byte[] END = "\n\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);

    private final HttpServletResponse response;

    EventStream(HttpServletResponse response) {
        this.response = response;
    }

    /** Sends the head of the answer, so that the agent knows that it is being listened to. */
    void open() throws IOException {
        response.setStatus(200);
        response.setContentType(MEDIA_TYPE);
        response.setHeader("Cache-Control", "no-cache, no-transform");
        response.setHeader("X-Accel-Buffering", "no");
        response.flushBuffer();
    }

    /** Tells an agent of 2024-11-05 where to post; on its way after the next {@link #flush}. */
    void writeEndpoint(String path) throws IOException {
        response.getOutputStream()
                .write(
                        ("event: endpoint\ndata: " + path + "\n\n")
                                .getBytes(StandardCharsets.UTF_8));
    }

    /** Takes a message, which is on its way after the next {@link #flush}. */
    void write(JsonRpcMessage message) throws IOException {
        write(JsonRpcCodec.encode(message));
    }

    /** Takes an encoded message, which is on its way after the next {@link #flush}. */
    void write(byte[] message) throws IOException {
        ServletOutputStream out = response.getOutputStream();
        out.write(BEGIN);
        out.write(message);
        out.write(END);
    }

    /** Sends a line that means nothing, to keep the connection up and to find out whether it is. */
    void beat() throws IOException {
        response.getOutputStream().write(COMMENT);
        flush();
    }

    /**
     * @throws IOException when the agent is gone, or takes too long
     */
    void flush() throws IOException {
        response.flushBuffer();
    }
}
