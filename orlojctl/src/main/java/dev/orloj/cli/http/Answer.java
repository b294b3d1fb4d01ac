package dev.orloj.cli.http;

import java.io.InputStream;
import java.net.HttpURLConnection;

/** A successful response, whose body may still be arriving. */
public final class Answer implements AutoCloseable {

    private final HttpURLConnection connection;
    private final InputStream body;

    Answer(HttpURLConnection connection, InputStream body) {
        this.connection = connection;
        this.body = body;
    }

    public InputStream body() {
        return body;
    }

    /** Ends the response at once, even while a thread waits for it. */
    @Override
    public void close() {
        connection.disconnect();
    }
}
