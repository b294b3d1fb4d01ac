package dev.orloj.runtime.transport.stdio;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.reading.MessageSize;
import dev.orloj.runtime.transport.NonProtocolOutput;
import dev.orloj.runtime.transport.OutgoingRequest;
import dev.orloj.runtime.transport.PendingRequests;
import dev.orloj.runtime.transport.PendingRequests.Pending;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.SafeListener;
import dev.orloj.runtime.transport.ServerRequests;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.TransportListener;
import dev.orloj.runtime.transport.TransportStats;
import dev.orloj.runtime.workload.ContainerRef;
import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.LogPump;
import dev.orloj.runtime.workload.Workload;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Exchanges one JSON-RPC message per line over the standard streams of a {@link Workload}. Skips
 * and counts lines on stdout that are not messages, and logs stderr. When the workload ends, all
 * pending requests fail at once. Each of the two output streams has a platform thread.
 */
public final class StdioTransport implements Transport {

    private static final Logger log = LoggerFactory.getLogger(StdioTransport.class);
    private static final Duration LAST_WORDS = Duration.ofMillis(500);

    /** Starts the workload of a connection. */
    @FunctionalInterface
    public interface Launcher {

        /**
         * @throws WorkloadException when the workload cannot be started
         */
        Workload launch() throws InterruptedException;
    }

    /** The parts of an open transport. */
    private record Connection(
            Workload workload,
            StdinWriter writer,
            TransportListener listener,
            Thread stdout,
            Thread stderr) {}

    private final Launcher launcher;
    private final LogBuffer serverLog;
    private final String label;
    private final Duration shutdownGrace;
    private final MessageLimits limits;
    private final PendingRequests pending;
    private final NonProtocolOutput nonProtocolOutput;
    private final LongAdder bytesIn = new LongAdder();
    private final AtomicBoolean opened = new AtomicBoolean();
    private final AtomicBoolean lost = new AtomicBoolean();
    private volatile boolean closing = false;
    private volatile @Nullable Connection connection;

    /**
     * @param shutdownGrace see {@link Workload#stop}
     */
    public StdioTransport(
            Launcher launcher,
            LogBuffer serverLog,
            String label,
            Duration shutdownGrace,
            MessageLimits limits) {
        this.launcher = launcher;
        this.serverLog = serverLog;
        this.label = label;
        this.shutdownGrace = shutdownGrace;
        this.limits = limits;
        this.pending = new PendingRequests(limits.budget());
        this.nonProtocolOutput = new NonProtocolOutput(serverLog);
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
        pending.startAfter(workload.earlierConnections());
        Connection started =
                new Connection(
                        workload,
                        new StdinWriter(workload.stdin(), "orloj-stdin-" + label, this::notWritten),
                        new SafeListener(listener, label),
                        Thread.ofPlatform()
                                .daemon()
                                .name("orloj-stdout-" + label)
                                .unstarted(stdoutOf(workload)),
                        Thread.ofPlatform()
                                .daemon()
                                .name("orloj-stderr-" + label)
                                .unstarted(() -> readLog(workload)));
        connection = started;
        // In this order: the end of stdout ends the connection, which joins both threads.
        started.stderr().start();
        started.stdout().start();
        workload.exit().thenRun(() -> lost(ConnectionLoss.ENDED, ""));
        if (closing) {
            close();
            throw new TransportException("Connection was closed while it was opened", false);
        }
    }

    @Override
    public JsonNode request(OutgoingRequest outgoing, RequestDeadline deadline)
            throws InterruptedException {
        StdinWriter writer = requireConnection().writer();
        return pending.exchange(
                outgoing,
                deadline,
                (request, message) -> writer.send(message, request),
                notice -> writer.send(JsonRpcCodec.encode(notice), null));
    }

    @Override
    public void notify(String method, @Nullable JsonNode params) {
        Connection current = requireConnection();
        pending.requireAlive();
        current.writer().send(JsonRpcCodec.encode(new Notification(method, params)), null);
    }

    @Override
    public void negotiated(ProtocolRevision revision) {
        // The framing does not depend on the revision.
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
    public int earlierConnections() {
        Connection current = connection;
        return current == null ? 0 : current.workload().earlierConnections();
    }

    @Override
    public Optional<ExitStatus> exit() {
        Connection current = connection;
        return current == null
                ? Optional.empty()
                : Optional.ofNullable(current.workload().exit().getNow(null));
    }

    @Override
    public Optional<Boolean> obeyedEof() {
        Connection current = connection;
        return current == null ? Optional.empty() : current.workload().obeyedEof();
    }

    @Override
    public TransportStats stats() {
        Connection current = connection;
        return current == null
                ? TransportStats.NONE
                : new TransportStats(
                        nonProtocolOutput.count(),
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

    private final class Received implements StdoutReader.Sink {

        @Override
        public void received(JsonRpcMessage message, MessageSize size) {
            dispatch(message, size);
        }

        @Override
        public void unreadable(long id, String why) {
            Pending request = pending.unreadable(id, why);
            if (request != null) {
                requireConnection().writer().answered(request);
            }
        }

        @Override
        public void lost(ConnectionLoss loss, String detail) {
            StdioTransport.this.lost(loss, detail);
        }

        @Override
        public void broken(Throwable cause) {
            StdioTransport.this.broken("standard output", cause);
        }
    }

    private StdoutReader stdoutOf(Workload workload) {
        return new StdoutReader(workload, limits, nonProtocolOutput, bytesIn, new Received());
    }

    private void readLog(Workload workload) {
        try {
            new LogPump(workload.stderr(), serverLog::append).run();
        } catch (Throwable e) { // a server blocks when its stderr is not read
            broken("standard error", e);
        }
    }

    private void notWritten(Throwable e) {
        if (e instanceof IOException) {
            lost(ConnectionLoss.STDIN_CLOSED, "");
        } else {
            broken("standard input", e);
        }
    }

    private void broken(String stream, Throwable e) {
        String why = "The thread of the server's %s failed: %s".formatted(stream, e);
        pending.end(new TransportException(why, true, e));
        log.atError()
                .addKeyValue("server", label)
                .addKeyValue("stream", stream)
                .setCause(e)
                .log("Connection ends, its thread failed");
        lost(ConnectionLoss.UNREADABLE, why);
    }

    private void dispatch(JsonRpcMessage message, MessageSize size) {
        Connection current = requireConnection();
        switch (message) {
            case Response response -> answered(current, response.id(), response, size);
            case ErrorResponse response -> answered(current, response.id(), response, size);
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
            Connection current, @Nullable JsonNode id, JsonRpcMessage answer, MessageSize size) {
        Pending request = pending.complete(id, answer, size);
        if (request != null) {
            current.writer().answered(request);
        }
    }

    /**
     * Ends the connection on a separate thread, because the threads that detect the loss must not
     * wait.
     */
    private void lost(ConnectionLoss loss, String detail) {
        if (lost.compareAndSet(false, true) && !closing) {
            Thread.ofVirtual().name("orloj-lost-" + label).start(() -> end(loss, detail));
        }
    }

    private void end(ConnectionLoss loss, String detail) {
        Connection current = requireConnection();
        Workload workload = current.workload();
        if (loss != ConnectionLoss.UNREADABLE) {
            workload.exit()
                    .copy()
                    .orTimeout(LAST_WORDS.toMillis(), MILLISECONDS)
                    .exceptionally(e -> null)
                    .join();
        }
        if (workload.exit().isDone()) {
            awaitLastWords(current);
        }
        TransportException cause =
                new TransportException(detail.isEmpty() ? loss.describe(workload) : detail, true);
        pending.end(cause);
        current.writer().close();
        if (!closing) {
            current.listener().onClosed(cause);
        }
        workload.stop(shutdownGrace);
    }

    /**
     * Waits for the last output of a server that ends, a response or a reason on stderr, so that it
     * is processed before the end.
     */
    private static void awaitLastWords(Connection current) {
        try {
            current.stdout().join(LAST_WORDS);
            current.stderr().join(LAST_WORDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
