package dev.orloj.server.rest.watch;

import java.io.IOException;

/** Where the events of one watch go. For one thread. */
interface EventSink {

    /** Tells the client that the watch stands, unless it knows. */
    void open() throws IOException;

    /**
     * Takes an event, which is on its way after the next {@link #flush}.
     *
     * @throws IOException when the client is gone, or takes too long
     */
    void send(byte[] event) throws IOException;

    /**
     * Sends what was taken.
     *
     * @throws IOException when the client is gone, or takes too long
     */
    void flush() throws IOException;
}
