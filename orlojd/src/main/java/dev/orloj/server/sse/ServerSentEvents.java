package dev.orloj.server.sse;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * An answer that is a stream of server-sent events (HTML Standard, "Server-sent events"). For one
 * thread.
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

    /** Sends the head of the answer, so that the client knows that it is being listened to. */
    public void open() throws IOException {
        response.setStatus(200);
        response.setContentType(MEDIA_TYPE);
        response.setHeader("Cache-Control", "no-cache, no-transform");
        response.setHeader("X-Accel-Buffering", "no");
        response.flushBuffer();
    }

    /**
     * Takes an event, which is on its way after the next {@link #flush}.
     *
     * @param data of one line
     */
    public void write(String name, byte[] data) throws IOException {
        ServletOutputStream out = response.getOutputStream();
        out.write(begin(name));
        out.write(data);
        out.write(END);
    }

    /**
     * As {@link #write}; JSON that is long becomes several lines.
     *
     * @param json of one line
     */
    public void writeInLines(String name, byte[] json) throws IOException {
        ServletOutputStream out = response.getOutputStream();
        out.write(begin(name));
        DataLines.write(json, NEXT_LINE, out);
        out.write(END);
    }

    /**
     * As {@link #writeInLines(String, byte[])}, with an id that a client can resume after.
     *
     * @param id of one line
     */
    public void writeInLines(String id, String name, byte[] json) throws IOException {
        response.getOutputStream().write(bytes("id: " + id + "\n"));
        writeInLines(name, json);
    }

    /**
     * Takes an event without data, after which a client can resume.
     *
     * @param retryMillis how long it is to wait before it does
     */
    public void prime(String id, long retryMillis) throws IOException {
        response.getOutputStream()
                .write(bytes("id: %s\nretry: %d\ndata: \n\n".formatted(id, retryMillis)));
    }

    private static byte[] begin(String name) {
        return bytes("event: " + name + "\ndata: ");
    }

    /** Sends a line that means nothing, to keep the connection up and to find out whether it is. */
    public void beat() throws IOException {
        response.getOutputStream().write(COMMENT);
        flush();
    }

    /**
     * @throws IOException when the client is gone, or takes too long
     */
    public void flush() throws IOException {
        response.flushBuffer();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
