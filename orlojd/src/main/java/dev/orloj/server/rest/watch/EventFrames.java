package dev.orloj.server.rest.watch;

import jakarta.websocket.Session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Sends events as the text frames of a web socket. */
record EventFrames(Session session) implements EventSink {

    @Override
    public void open() {
        // The handshake has done this.
    }

    @Override
    public void send(byte[] event) throws IOException {
        session.getBasicRemote().sendText(new String(event, StandardCharsets.UTF_8));
    }

    @Override
    public void flush() {
        // Each frame is sent at once.
    }
}
