package dev.orloj.runtime.transport;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.runtime.jsonrpc.MalformedMessageException;
import dev.orloj.runtime.trace.CallTracer;
import dev.orloj.runtime.transport.PendingRequests.Pending;
import dev.orloj.runtime.workload.ContainerRef;
import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.LogPump;
import dev.orloj.runtime.workload.Workload;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * One JSON-RPC message per line over the standard streams of a {@link Workload}. Lines on stdout
 * that are no message are skipped and counted; stderr goes to the log. When the workload ends,
 * whatever waits for it fails at once. Both streams have a platform thread each.
 */
public final class StdioTransport implements Transport {

    /** The largest message that is read; a server that sends a larger one is beyond repair. */
    public static final int MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

    private static final Duration LAST_WORDS = Duration.ofMillis(500);

    /** Starts the workload of a connection. */
    @FunctionalInterface
    public interface Launcher {

        /**
         * @throws WorkloadException when it cannot be started
         */
        Workload launch() throws InterruptedException;
    }

    private enum Loss {
        ENDED("Server process ended"),
        STDIN_CLOSED("Server closed its standard input"),
        STDOUT_CLOSED("Server closed its standard output"),
        MESSAGE_TOO_LONG("Server sent a message that is too long");

        private final String text;

        Loss(String text) {
            this.text = text;
        }
    }

    /** What exists once the transport is open. */
    private record Connection(
            Workload workload,
            MessageWriter writer,
            TransportListener listener,
            Thread stdout,
            Thread stderr) {}

    private final Launcher launcher;
    private final LogBuffer serverLog;
    private final String label;
    private final Duration shutdownGrace;
    private final int maxMessageBytes;
    private final PendingRequests pending = new PendingRequests();
    private final NoiseLog noise;
    private final LongAdder bytesIn = new LongAdder();
    private final AtomicBoolean opened = new AtomicBoolean();
    private final AtomicBoolean lost = new AtomicBoolean();
    private volatile boolean closing = false;
    private volatile @Nullable Connection connection;

    /**
     * @param shutdownGrace see {@link Workload#stop}
     * @param maxMessageBytes longest line accepted, {@link #MAX_MESSAGE_BYTES} unless there is a
     *     reason
     */
    public StdioTransport(
            Launcher launcher,
            LogBuffer serverLog,
            String label,
            Duration shutdownGrace,
            int maxMessageBytes) {
        this.launcher = launcher;
        this.serverLog = serverLog;
        this.label = label;
        this.shutdownGrace = shutdownGrace;
        this.maxMessageBytes = maxMessageBytes;
        this.noise = new NoiseLog(serverLog);
    }

    @Override
    public void open(TransportListener listener) throws InterruptedException {
        if (!opened.compareAndSet(false, true)) {
            throw new IllegalStateException("Transport of \"" + label + "\" was opened before");
        }
        serverLog.startRun();
        Workload workload;
        try {
            workload = launcher.launch();
        } catch (WorkloadException e) {
            throw new TransportException(String.valueOf(e.getMessage()), false, e);
        }
        Connection started =
                new Connection(
                        workload,
                        new MessageWriter(
                                workload.stdin(),
                                "orloj-stdin-" + label,
                                e -> lost(Loss.STDIN_CLOSED)),
                        new SafeListener(listener, label),
                        Thread.ofPlatform()
                                .daemon()
                                .name("orloj-stdout-" + label)
                                .unstarted(() -> readMessages(workload)),
                        Thread.ofPlatform()
                                .daemon()
                                .name("orloj-stderr-" + label)
                                .unstarted(new LogPump(workload.stderr(), serverLog::append)));
        connection = started;
        started.stdout().start();
        started.stderr().start();
        workload.exit().thenRun(() -> lost(Loss.ENDED));
        if (closing) {
            close();
            throw new TransportException("Connection was closed while it was opened", false);
        }
    }

    @Override
    public JsonNode request(OutgoingRequest outgoing, RequestDeadline deadline)
            throws InterruptedException {
        MessageWriter writer = requireConnection().writer();
        Pending request = pending.add(outgoing, deadline);
        int bytesOut = 0;
        try {
            JsonNode id = JsonNodeFactory.instance.numberNode(request.id());
            byte[] message =
                    JsonRpcCodec.encode(new Request(id, outgoing.method(), outgoing.params()));
            bytesOut = message.length;
            writer.send(message, request);
            return pending.await(request, notice -> writer.send(JsonRpcCodec.encode(notice), null));
        } finally {
            pending.remove(request);
            CallTracer.current().exchanged(request.id(), bytesOut, request.bytesIn());
        }
    }

    @Override
    public void notify(String method, @Nullable JsonNode params) {
        Connection current = requireConnection();
        pending.requireAlive();
        current.writer().send(JsonRpcCodec.encode(new Notification(method, params)), null);
    }

    @Override
    public void negotiated(ProtocolRevision revision) {
        // Nothing in the framing depends on the revision.
    }

    @Override
    public boolean isOpen() {
        return connection != null && !pending.ended() && !closing;
    }

    @Override
    public Optional<Long> pid() {
        Connection current = connection;
        return current == null ? Optional.empty() : current.workload().pid();
    }

    @Override
    public Optional<ContainerRef> container() {
        Connection current = connection;
        return current == null ? Optional.empty() : current.workload().container();
    }

    @Override
    public Optional<ExitStatus> exit() {
        Connection current = connection;
        return current == null
                ? Optional.empty()
                : Optional.ofNullable(current.workload().exit().getNow(null));
    }

    @Override
    public TransportStats stats() {
        Connection current = connection;
        return current == null
                ? TransportStats.NONE
                : new TransportStats(
                        noise.count(),
                        bytesIn.sum(),
                        current.writer().written(),
                        pending.unknownAnswers());
    }

    @Override
    public void close() {
        closing = true;
        pending.end(new TransportException("Connection to the server was closed", true));
        Connection current = connection;
        if (current != null) {
            current.writer().close();
            current.workload().stop(shutdownGrace);
            awaitLastWords(current);
        }
    }

    private Connection requireConnection() {
        Connection current = connection;
        if (current == null) {
            throw new IllegalStateException("Transport of \"" + label + "\" is not open");
        }
        return current;
    }

    private void readMessages(Workload workload) {
        LineReader lines = new LineReader(workload.stdout(), maxMessageBytes);
        try {
            while (lines.next()) {
                bytesIn.add(lines.length() + 1L);
                accept(lines);
            }
            lost(Loss.STDOUT_CLOSED);
        } catch (LineReader.LineTooLongException e) {
            lost(Loss.MESSAGE_TOO_LONG);
        } catch (IOException e) {
            lost(Loss.STDOUT_CLOSED);
        }
    }

    private void accept(LineReader lines) {
        if (lines.isBlank()) {
            noise.blank();
            return;
        }
        try {
            JsonRpcCodec.Decoded decoded =
                    JsonRpcCodec.decode(lines.buffer(), lines.offset(), lines.length());
            for (String reason : decoded.rejected()) {
                noise.line(lines.buffer(), lines.offset(), lines.length(), reason);
            }
            decoded.messages().forEach(message -> dispatch(message, lines.length()));
        } catch (MalformedMessageException e) {
            noise.line(
                    lines.buffer(), lines.offset(), lines.length(), String.valueOf(e.getMessage()));
        }
    }

    private void dispatch(JsonRpcMessage message, int bytes) {
        Connection current = requireConnection();
        switch (message) {
            case Response response -> answered(current, response.id(), response, bytes);
            case ErrorResponse response -> answered(current, response.id(), response, bytes);
            case Request request ->
                    ServerRequests.take(
                            request,
                            answer -> current.writer().send(JsonRpcCodec.encode(answer), null),
                            current.listener()::onRequest);
            case Notification(String method, JsonNode params) ->
                    current.listener().onNotification(method, params);
        }
    }

    private void answered(
            Connection current, @Nullable JsonNode id, JsonRpcMessage answer, int bytes) {
        Pending request = pending.complete(id, answer, bytes);
        if (request != null) {
            current.writer().answered(request);
        }
    }

    /** Ends the connection on a thread of its own, for those who notice it must not wait. */
    private void lost(Loss loss) {
        if (lost.compareAndSet(false, true) && !closing) {
            Thread.ofVirtual().name("orloj-lost-" + label).start(() -> end(loss));
        }
    }

    private void end(Loss loss) {
        Connection current = requireConnection();
        Workload workload = current.workload();
        if (loss != Loss.MESSAGE_TOO_LONG) {
            workload.exit()
                    .copy()
                    .orTimeout(LAST_WORDS.toMillis(), MILLISECONDS)
                    .exceptionally(e -> null)
                    .join();
        }
        if (workload.exit().isDone()) {
            awaitLastWords(current);
        }
        TransportException cause = new TransportException(describe(loss, workload), true);
        pending.end(cause);
        current.writer().close();
        if (!closing) {
            current.listener().onClosed(cause);
        }
        workload.stop(shutdownGrace);
    }

    /**
     * The streams of a process that ends close a moment before or after it, which is not worth
     * telling apart.
     */
    private String describe(Loss loss, Workload workload) {
        ExitStatus status = workload.exit().getNow(null);
        return switch (loss) {
            case MESSAGE_TOO_LONG ->
                    "Server sent a message longer than " + maxMessageBytes + " bytes";
            case ENDED, STDIN_CLOSED, STDOUT_CLOSED ->
                    status == null
                            ? loss.text + orElse(workload)
                            : "Server process ended with " + status;
        };
    }

    /** The streams of a container go through its engine, and close with it. */
    private static String orElse(Workload workload) {
        return workload.container()
                .map(
                        box ->
                                ", or the engine of its container \"%s\" went away"
                                        .formatted(box.name()))
                .orElse("");
    }

    /** What a dying server still said, an answer or a reason on stderr, comes before its end. */
    private static void awaitLastWords(Connection current) {
        try {
            current.stdout().join(LAST_WORDS);
            current.stderr().join(LAST_WORDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
