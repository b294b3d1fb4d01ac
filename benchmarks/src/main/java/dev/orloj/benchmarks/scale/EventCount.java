package dev.orloj.benchmarks.scale;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Counts the events of a watch, which are the lines that begin with a brace. */
final class EventCount implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;

    private EventCount(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    static EventCount open(URI server, String path) throws IOException {
        Socket socket = new Socket(server.getHost(), server.getPort());
        String request =
                "GET %s HTTP/1.1\r\nHost: %s:%d\r\nAccept: application/json\r\n\r\n"
                        .formatted(path, server.getHost(), server.getPort());
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return new EventCount(socket);
    }

    /** Reads until so many events have come. */
    void await(int events) throws IOException {
        int before = '\n';
        for (int seen = 0; seen < events; ) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the watch ended after %d events".formatted(seen));
            }
            if (next == '{' && before == '\n') {
                seen++;
            }
            before = next;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
