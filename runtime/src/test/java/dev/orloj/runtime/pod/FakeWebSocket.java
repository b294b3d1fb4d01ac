package dev.orloj.runtime.pod;

import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** A connection to an API server that ends when it is aborted. */
abstract class FakeWebSocket implements WebSocket {

    volatile boolean aborted = false;

    /** Returns a message of the API server on a channel. */
    static ByteBuffer message(int channel, byte[] bytes, int length) {
        return ByteBuffer.allocate(length + 1).put((byte) channel).put(bytes, 0, length).flip();
    }

    @Override
    public CompletableFuture<WebSocket> sendBinary(ByteBuffer data, boolean last) {
        int channel = data.get() & 0xff;
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        return send(channel, bytes);
    }

    /** Takes what orlojd sends on a channel. */
    abstract CompletableFuture<WebSocket> send(int channel, byte[] bytes);

    @Override
    public CompletableFuture<WebSocket> sendText(CharSequence data, boolean last) {
        return CompletableFuture.failedFuture(
                new AssertionError("the protocol has binary messages only"));
    }

    @Override
    public CompletableFuture<WebSocket> sendPing(ByteBuffer message) {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public CompletableFuture<WebSocket> sendPong(ByteBuffer message) {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public CompletableFuture<WebSocket> sendClose(int statusCode, String reason) {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void request(long n) {}

    @Override
    public String getSubprotocol() {
        return PodStreams.SUBPROTOCOL;
    }

    @Override
    public boolean isOutputClosed() {
        return aborted;
    }

    @Override
    public boolean isInputClosed() {
        return aborted;
    }

    @Override
    public void abort() {
        aborted = true;
    }
}
