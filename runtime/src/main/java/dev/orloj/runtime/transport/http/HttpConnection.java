package dev.orloj.runtime.transport.http;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.runtime.oauth.RequestAuthorization;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.reading.MessageSize;
import dev.orloj.runtime.transport.NonProtocolOutput;
import dev.orloj.runtime.transport.PendingRequests;
import dev.orloj.runtime.transport.PendingRequests.Pending;
import dev.orloj.runtime.transport.SafeListener;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.ServerRequests;
import dev.orloj.runtime.transport.TransportListener;
import dev.orloj.runtime.transport.TransportStats;
import dev.orloj.runtime.transport.http.HttpEndpoint.Exchange;
import dev.orloj.runtime.workload.LogBuffer;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * The parts that a connection has in both transports over HTTP: its endpoint, its requests in
 * progress, its listener, and what it has transferred. Thread-safe.
 */
final class HttpConnection {

    private final HttpEndpoint endpoint;
    private final HttpFailures failures;
    private final NonProtocolOutput nonProtocolOutput;
    private final MessageReader reader;
    private final PendingRequests pending;
    private final MessagePoster poster;
    private final String label;
    private final LongAdder bytesOut = new LongAdder();
    private volatile @Nullable TransportListener listener;

    /**
     * @param timer aborts exchanges; shared
     * @param posts prepares the exchange that carries an encoded message without a response
     */
    HttpConnection(
            EndpointClient client,
            ServerAddress.Http address,
            RequestAuthorization authorization,
            ScheduledExecutorService timer,
            LogBuffer serverLog,
            String label,
            MessageLimits limits,
            Function<byte[], Exchange> posts) {
        this.endpoint = new HttpEndpoint(client, address, authorization);
        this.failures = new HttpFailures(endpoint);
        this.nonProtocolOutput = new NonProtocolOutput(serverLog);
        this.reader = new MessageReader(limits, nonProtocolOutput);
        this.pending = new PendingRequests(limits.budget());
        this.label = label;
        this.poster =
                new MessagePoster(
                        message -> posts.apply(JsonRpcCodec.encode(message)),
                        failures,
                        timer,
                        label);
    }

    HttpEndpoint endpoint() {
        return endpoint;
    }

    HttpFailures failures() {
        return failures;
    }

    MessageReader reader() {
        return reader;
    }

    PendingRequests pending() {
        return pending;
    }

    MessagePoster poster() {
        return poster;
    }

    void open(TransportListener receiver) {
        if (isOpened()) {
            throw new IllegalStateException("Transport of \"" + label + "\" was opened before");
        }
        listener = new SafeListener(receiver, label);
    }

    boolean isOpened() {
        return listener != null;
    }

    TransportListener requireListener() {
        TransportListener current = listener;
        if (current == null) {
            throw new IllegalStateException("Transport of \"" + label + "\" is not open");
        }
        return current;
    }

    void notify(String method, @Nullable JsonNode params) {
        requireListener();
        pending.requireAlive();
        poster.send(new Notification(method, params));
    }

    /**
     * Passes on a message of the server.
     *
     * @param current the request on whose stream the message was received, if any
     */
    void dispatch(JsonRpcMessage message, MessageSize size, @Nullable Pending current) {
        switch (message) {
            case Response response -> pending.complete(response.id(), response, size);
            case ErrorResponse response -> {
                if (response.id() == null && current != null) {
                    current.received(size.bytes());
                    current.answer().complete(response);
                } else {
                    pending.complete(response.id(), response, size);
                }
            }
            case Request request ->
                    ServerRequests.take(
                            request,
                            poster::sendInBackground,
                            current == null ? requireListener()::onRequest : current.asked());
            case Notification notification -> {
                if (current == null || !current.notified(notification)) {
                    requireListener().onNotification(notification.method(), notification.params());
                }
            }
        }
    }

    /** Returns the receiver of the messages of a stream that belongs to no request. */
    MessageReader.Inbox inbox() {
        return new StreamInbox();
    }

    private final class StreamInbox implements MessageReader.Inbox {

        @Override
        public void received(JsonRpcMessage message, MessageSize size) {
            dispatch(message, size, null);
        }

        @Override
        public void unreadable(long id, String why) {
            pending.unreadable(id, why);
        }
    }

    /** Counts the bytes of a message that is sent. */
    void sending(byte[] message) {
        bytesOut.add(message.length);
    }

    TransportStats stats() {
        return new TransportStats(
                nonProtocolOutput.count(),
                reader.bytes(),
                bytesOut.sum(),
                pending.unknownAnswers());
    }
}
