package dev.orloj.server.rest.watch;

import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.Responses;

import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.io.OutputStream;

/** Sends events as the lines of a response. */
final class EventLines implements EventSink {

    private final HttpServletResponse response;
    private boolean open;

    EventLines(HttpServletResponse response) {
        this.response = response;
    }

    @Override
    public void open() throws IOException {
        if (!open) {
            response.setStatus(200);
            response.setContentType(MediaTypes.JSON);
            response.setHeader("Cache-Control", Responses.DYNAMIC);
            response.flushBuffer();
            open = true;
        }
    }

    @Override
    public void send(byte[] event) throws IOException {
        OutputStream out = response.getOutputStream();
        out.write(event);
        out.write('\n');
    }

    @Override
    public void flush() throws IOException {
        response.getOutputStream().flush();
    }
}
