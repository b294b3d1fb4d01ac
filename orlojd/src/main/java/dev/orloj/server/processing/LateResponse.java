package dev.orloj.server.processing;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import java.io.IOException;

/**
 * A response whose body is created on one thread and sent on another, so that a slow client does
 * not occupy a thread of {@link Processing}. For one thread at a time.
 */
public final class LateResponse extends HttpServletResponseWrapper {

    private byte[] body = {};

    public LateResponse(HttpServletResponse response) {
        super(response);
    }

    /** Holds the whole body without copying it. */
    public void hold(byte[] whole) {
        body = whole;
    }

    public void send() throws IOException {
        if (body.length > 0) {
            getOutputStream().write(body);
        }
    }
}
