package dev.orloj.server.rest;

import java.io.IOException;

/** Where the events of one watch go. For one thread. */
interface EventSink {

    /** Tells the client that the watch stands, unless it knows. */
    void open() throws IOException;

    /**
     * Sends an event at once.
     *
     * @throws IOException when the client is gone, or takes too long
     */
    void send(byte[] event) throws IOException;
}
