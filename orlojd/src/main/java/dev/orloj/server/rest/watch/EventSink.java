package dev.orloj.server.rest.watch;

import java.io.IOException;

/** Sends the events of one watch. For one thread. */
interface EventSink {

    /** Sends the head of the response, unless the client has it. */
    void open() throws IOException;

    /**
     * Accepts an event; sent with the next {@link #flush}.
     *
     * @throws IOException when the client is gone, or reads too slowly
     */
    void send(byte[] event) throws IOException;

    /**
     * Sends the accepted events.
     *
     * @throws IOException when the client is gone, or reads too slowly
     */
    void flush() throws IOException;
}
