package dev.orloj.runtime.pod;

import org.jspecify.annotations.Nullable;

import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** The container of a Pod: its stdin outlives connections, its output is lost without one. */
final class FakeContainer {

    private static final int STDOUT = 1;

    private final StringBuilder unread = new StringBuilder();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private volatile @Nullable PodStreams streams;
    private volatile @Nullable Connection connection;

    /** A new connection replaces the one before. */
    void attach(PodStreams to) {
        Connection begun = new Connection();
        streams = to;
        connection = begun;
        to.begin(begun);
    }

    /** The complete lines that were read from stdin. */
    List<String> lines() {
        return lines;
    }

    boolean isAttached() {
        Connection current = connection;
        return current != null && !current.aborted;
    }

    /** Bytes arrive on stdin. */
    synchronized void read(String text) {
        unread.append(text);
        for (int end = unread.indexOf("\n"); end >= 0; end = unread.indexOf("\n")) {
            lines.add(unread.substring(0, end));
            unread.delete(0, end + 1);
        }
    }

    void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Objects.requireNonNull(streams, "not attached")
                .onBinary(
                        Objects.requireNonNull(connection),
                        FakeWebSocket.message(STDOUT, bytes, bytes.length),
                        true);
    }

    private final class Connection extends FakeWebSocket {

        @Override
        CompletableFuture<WebSocket> send(int channel, byte[] bytes) {
            if (channel == 0) {
                read(new String(bytes, StandardCharsets.UTF_8));
            }
            return CompletableFuture.completedFuture(this);
        }
    }
}
