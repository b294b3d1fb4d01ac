package dev.orloj.runtime.pod;

import dev.orloj.runtime.cluster.ClusterException;
import dev.orloj.runtime.workload.BytePipe;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The standard streams of a program in a Pod over one WebSocket with the subprotocol {@code
 * v5.channel.k8s.io} (KEP-4006): the first byte of each message is the number of a channel. Waits
 * while the output is not consumed. Sends pings, because load balancers drop silent connections.
 * Thread-safe.
 */
final class PodStreams implements WebSocket.Listener {

    private static final Logger log = LoggerFactory.getLogger(PodStreams.class);

    static final String SUBPROTOCOL = "v5.channel.k8s.io";

    private static final byte STDIN = 0;
    private static final byte STDOUT = 1;
    private static final byte STDERR = 2;

    /** The channel of the status at the end. */
    private static final byte STATUS = 3;

    /** Maximum length of the status; the rest is dropped. */
    private static final int MAX_STATUS_BYTES = 64 * 1024;

    /** The channel whose messages close the channel that they name. */
    private static final byte CLOSE = (byte) 255;

    /** {@code StdinWriter} relies on a pipe of at least one page. */
    private static final int STDIN_BYTES = 16 * 1024;

    private static final int STDOUT_BYTES = 32 * 1024;
    private static final int STDERR_BYTES = 8 * 1024;

    private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration PING_PERIOD = Duration.ofSeconds(20);

    /** A connection without any message for this long, pongs included, counts as lost. */
    private static final Duration SILENCE = Duration.ofSeconds(65);

    private final BytePipe stdin = new BytePipe(STDIN_BYTES);
    private final BytePipe stdout = new BytePipe(STDOUT_BYTES);
    private final BytePipe stderr = new BytePipe(STDERR_BYTES);
    private final ByteArrayOutputStream status = new ByteArrayOutputStream();
    private final ScheduledExecutorService timer;
    private final CompletableFuture<Void> disconnected = new CompletableFuture<>();
    private volatile long lastReceived = System.nanoTime();

    /** Whether received output waits for its reader, in which time nothing else is received. */
    private volatile boolean isWaiting = false;

    private volatile @Nullable WebSocket socket;
    private volatile @Nullable ScheduledFuture<?> pings;

    /** The channel of a message that has begun; empty between messages. */
    private byte channel;

    private boolean hasChannel = false;

    /**
     * @param timer sends the pings
     */
    PodStreams(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    /**
     * Connects and starts to forward stdin. Called once.
     *
     * @param subresource of the Pod, for messages: {@code attach} or {@code exec}
     * @throws ClusterException when the API server refuses or does not answer
     */
    void open(WebSocket.Builder builder, URI url, String subresource) throws InterruptedException {
        CompletableFuture<WebSocket> opening =
                builder.subprotocols(SUBPROTOCOL).buildAsync(url, this);
        WebSocket opened;
        try {
            opened = opening.get(OPEN_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw refused(url, subresource, e.getCause());
        } catch (TimeoutException e) {
            opening.thenAccept(WebSocket::abort);
            throw refused(url, subresource, e);
        } catch (InterruptedException e) {
            opening.thenAccept(WebSocket::abort);
            throw e;
        }
        if (!opened.getSubprotocol().equals(SUBPROTOCOL)) {
            opened.abort();
            throw new ClusterException(
                    ClusterException.NO_ANSWER,
                    "The API server does not speak %s; Kubernetes 1.30 and later do"
                            .formatted(SUBPROTOCOL),
                    null);
        }
        begin(opened);
    }

    /** Starts to forward stdin over an open connection. */
    void begin(WebSocket opened) {
        socket = opened;
        pings =
                timer.scheduleWithFixedDelay(
                        this::ping,
                        PING_PERIOD.toSeconds(),
                        PING_PERIOD.toSeconds(),
                        TimeUnit.SECONDS);
        Thread.ofVirtual().name("orloj-pod-stdin").start(() -> forwardStdin(opened));
    }

    private static ClusterException refused(
            URI url, String subresource, @Nullable Throwable cause) {
        if (cause instanceof WebSocketHandshakeException handshake) {
            int status = handshake.getResponse().statusCode();
            return new ClusterException(
                    status,
                    "The API server %s refused %s of the Pod with status %d%s"
                            .formatted(
                                    url.getAuthority(),
                                    subresource,
                                    status,
                                    status == 403
                                            ? "; the Role of orlojd needs get and create of pods/"
                                                    + subresource
                                            : ""),
                    cause);
        }
        return new ClusterException(
                ClusterException.NO_ANSWER,
                "The API server %s did not answer %s of the Pod: %s"
                        .formatted(url.getAuthority(), subresource, cause),
                cause);
    }

    OutputStream stdin() {
        return stdin.out();
    }

    InputStream stdout() {
        return stdout.in();
    }

    InputStream stderr() {
        return stderr.in();
    }

    /** Completes when the connection has ended. The output that has arrived can still be read. */
    CompletableFuture<Void> disconnected() {
        return disconnected;
    }

    /**
     * Returns the {@code Status} with which the program ended, as JSON; empty if none was reported.
     * Complete once {@link #disconnected} is.
     */
    String status() {
        return status.toString(StandardCharsets.UTF_8);
    }

    /** Ends stdin: the program reads what was written and then the end of file. */
    void closeStdin() {
        stdin.end();
    }

    /** Ends the output: its reader gets what has arrived and then the end of file. */
    void endOutput() {
        stdout.end();
        stderr.end();
    }

    /** Ends the connection and all streams. */
    void close() {
        stdin.abandon();
        endOutput();
        WebSocket current = socket;
        if (current != null) {
            current.abort();
        }
        disconnect();
    }

    private void forwardStdin(WebSocket to) {
        byte[] message = new byte[STDIN_BYTES];
        message[0] = STDIN;
        try (InputStream from = stdin.in()) {
            for (int read = from.read(message, 1, message.length - 1);
                    read >= 0;
                    read = from.read(message, 1, message.length - 1)) {
                to.sendBinary(ByteBuffer.wrap(message, 0, read + 1), true).join();
            }
            to.sendBinary(ByteBuffer.wrap(new byte[] {CLOSE, STDIN}), true).join();
        } catch (IOException | CompletionException e) {
            log.atDebug().addKeyValue("error", e.toString()).log("stdin of a Pod ends");
        }
    }

    private void ping() {
        WebSocket current = socket;
        if (current == null || disconnected.isDone()) {
            return;
        }
        if (!isWaiting && System.nanoTime() - lastReceived > SILENCE.toNanos()) {
            current.abort();
            disconnect();
            return;
        }
        CompletableFuture<WebSocket> _ = current.sendPing(ByteBuffer.allocate(0));
    }

    @Override
    public void onOpen(WebSocket opened) {
        opened.request(1);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        lastReceived = System.nanoTime();
        if (!hasChannel && data.hasRemaining()) {
            channel = data.get();
            hasChannel = true;
        }
        hasChannel &= !last;
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        isWaiting = true;
        receive(bytes);
        lastReceived = System.nanoTime();
        isWaiting = false;
        from.request(1);
        return null;
    }

    private void receive(byte[] bytes) {
        try {
            switch (channel) {
                case STDOUT -> stdout.out().write(bytes);
                case STDERR -> stderr.out().write(bytes);
                case STATUS ->
                        status.write(
                                bytes, 0, Math.min(bytes.length, MAX_STATUS_BYTES - status.size()));
                default -> {}
            }
        } catch (IOException e) {
            // The output is not read any more, so it may be dropped.
        }
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        lastReceived = System.nanoTime();
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int statusCode, String reason) {
        disconnect();
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        log.atDebug().addKeyValue("error", error.toString()).log("Connection to a Pod is lost");
        disconnect();
    }

    private void disconnect() {
        stdin.abandon();
        ScheduledFuture<?> task = pings;
        if (task != null) {
            task.cancel(false);
        }
        disconnected.complete(null);
    }
}
