package dev.orloj.server.processing;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import java.io.IOException;

/**
 * An answer whose body is made by one thread and sent by another, so that a client that reads
 * slowly keeps no thread of {@link Processing}. For one thread at a time.
 */
public final class LateResponse extends HttpServletResponseWrapper {

    private byte[] body = {};

    public LateResponse(HttpServletResponse response) {
        super(response);
    }

    /** Takes the whole body, which is not copied. */
    public void hold(byte[] whole) {
        body = whole;
    }

    public void send() throws IOException {
        if (body.length > 0) {
            getOutputStream().write(body);
        }
    }
}
