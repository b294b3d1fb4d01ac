package dev.orloj.cli.http;

import java.io.IOException;
import java.io.InputStream;

/** A successful response, whose body may still be arriving. */
public final class Answer implements AutoCloseable {

    private final Http1Connection connection;
    private final InputStream body;

    Answer(Http1Connection connection, InputStream body) {
        this.connection = connection;
        this.body = body;
    }

    public InputStream body() {
        return body;
    }

    /** Ends the response at once, even while a thread waits for it. */
    @Override
    public void close() {
        try {
            connection.close();
        } catch (IOException e) {
            // It is of no more use either way.
        }
    }
}
