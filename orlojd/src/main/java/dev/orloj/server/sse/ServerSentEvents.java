package dev.orloj.server.sse;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Writes a response as a stream of server-sent events (HTML Standard, "Server-sent events"). For
 * one thread.
 */
public final class ServerSentEvents {

    public static final String MEDIA_TYPE = "text/event-stream";

    private static final byte[] END = bytes("\n\n");
    private static final byte[] NEXT_LINE = bytes("\ndata: ");
    private static final byte[] COMMENT = bytes(":\n\n");

    private final HttpServletResponse response;

    public ServerSentEvents(HttpServletResponse response) {
        this.response = response;
    }

    /** Sends the head of the response, so that the client sees that the stream is open. */
    public void open() throws IOException {
        response.setStatus(200);
        response.setContentType(MEDIA_TYPE);
        response.setHeader("Cache-Control", "no-cache, no-transform");
        response.setHeader("X-Accel-Buffering", "no");
        response.flushBuffer();
    }

    /**
     * Writes an event; the next {@link #flush} sends it.
     *
     * @param data on one line
     */
    public void write(String name, byte[] data) throws IOException {
        ServletOutputStream out = response.getOutputStream();
        out.write(begin(name));
        out.write(data);
        out.write(END);
    }

    /**
     * Like {@link #write}, but splits long JSON into several lines.
     *
     * @param json on one line
     */
    public void writeInLines(String name, byte[] json) throws IOException {
        ServletOutputStream out = response.getOutputStream();
        out.write(begin(name));
        DataLines.write(json, NEXT_LINE, out);
        out.write(END);
    }

    /**
     * Like {@link #writeInLines(String, byte[])}, with an id after which a client can resume.
     *
     * @param id on one line
     */
    public void writeInLines(String id, String name, byte[] json) throws IOException {
        response.getOutputStream().write(bytes("id: " + id + "\n"));
        writeInLines(name, json);
    }

    /**
     * Writes an event without data, after which a client can resume.
     *
     * @param retryMillis how long the client must wait before it reconnects
     */
    public void prime(String id, long retryMillis) throws IOException {
        response.getOutputStream()
                .write(bytes("id: %s\nretry: %d\ndata: \n\n".formatted(id, retryMillis)));
    }

    private static byte[] begin(String name) {
        return bytes("event: " + name + "\ndata: ");
    }

    /** Sends an empty comment, to keep the connection open and to detect whether it still is. */
    public void beat() throws IOException {
        response.getOutputStream().write(COMMENT);
        flush();
    }

    /**
     * @throws IOException when the client is gone, or reads too slowly
     */
    public void flush() throws IOException {
        response.flushBuffer();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
