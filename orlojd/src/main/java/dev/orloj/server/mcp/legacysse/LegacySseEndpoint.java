package dev.orloj.server.mcp.legacysse;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.disconnect.ClientDisconnects;
import dev.orloj.server.mcp.elicitation.ServerToClientRequests;
import dev.orloj.server.mcp.methods.MethodHandlers;
import dev.orloj.server.mcp.methods.ServerInitializer;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.EventStream;
import dev.orloj.server.mcp.protocol.InFlightRequests;
import dev.orloj.server.mcp.protocol.JsonRpcRequestBody;
import dev.orloj.server.mcp.protocol.LegacySseExposure;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.RequestHeaders;
import dev.orloj.server.mcp.session.SessionLogLevels;
import dev.orloj.server.mcp.subscriptions.DroppableNotifications;
import dev.orloj.server.mcp.subscriptions.ResourceSubscriptions;
import dev.orloj.server.mcp.subscriptions.Subscription;
import dev.orloj.server.mcp.subscriptions.SubscriptionFilter;
import dev.orloj.server.mcp.subscriptions.Subscriptions;
import dev.orloj.server.rest.http.OpenStreams;
import dev.orloj.server.stream.StreamedWork;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Serves HTTP+SSE of revision 2024-11-05: a client listens on one path, and posts to another one,
 * which the first event names. The session is the stream, and ends with it. Thread-safe.
 */
public final class LegacySseEndpoint {

    /** Short enough to keep the connection open through common proxies. */
    private static final Duration BEAT = Duration.ofSeconds(15);

    private static final String SESSION = "sessionId";

    private final Parts parts;
    private final LegacySseConnection.Gateway gateway;
    private final Subscriptions subscriptions;
    private final ResourceSubscriptions resources;
    private final SessionLogLevels logLevels;
    private final ClientDisconnects disconnects;

    /** The collaborators of the endpoint. */
    public record Parts(
            LegacySseExposure exposure,
            LegacySseConnections connections,
            OpenStreams streams,
            MethodHandlers handlers,
            ServerInitializer initializer,
            ServerToClientRequests questions,
            Subscriptions subscriptions,
            ResourceSubscriptions resources,
            SessionLogLevels logLevels,
            ClientDisconnects disconnects) {}

    public LegacySseEndpoint(Parts parts) {
        this.parts = parts;
        this.gateway =
                new LegacySseConnection.Gateway(
                        parts.handlers(),
                        parts.initializer(),
                        new InFlightRequests(),
                        parts.questions(),
                        parts.logLevels());
        this.subscriptions = parts.subscriptions();
        this.resources = parts.resources();
        this.logLevels = parts.logLevels();
        this.disconnects = parts.disconnects();
    }

    /** An event that is written into a stream. */
    private sealed interface Event {
        record Endpoint(String path) implements Event {}

        /** Encoded, so that the size of the queue is known. */
        record Message(byte[] content, boolean droppable) implements Event {

            static Message of(JsonRpcMessage message) {
                return new Message(
                        JsonRpcCodec.encode(message), DroppableNotifications.canBeMissed(message));
            }
        }

        record End() implements Event {}
    }

    /**
     * @throws ProtocolError when the endpoint does not serve HTTP+SSE, or the request does not fit
     *     it
     */
    public void serve(LegacySsePath path, HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        parts.exposure().require(path.scope());
        switch (path.part()) {
            case SSE -> {
                requireMethod("GET", request, response);
                JsonRpcRequestBody.requireStreamIsAccepted(request);
                listen(path.scope(), request, response);
            }
            case MESSAGES -> {
                requireMethod("POST", request, response);
                take(path.scope(), request, response);
            }
        }
    }

    private static void requireMethod(
            String method, HttpServletRequest request, HttpServletResponse response) {
        if (!request.getMethod().equals(method)) {
            response.setHeader("Allow", method);
            throw ProtocolError.invalidRequest(405, "Only %s is served here".formatted(method));
        }
    }

    private void listen(
            EndpointScope scope, HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        String id = parts.connections().newId();
        String caller = new RequestHeaders(request).caller();
        String messages =
                request.getRequestURI().replaceFirst("/sse$", "/messages")
                        + "?sessionId="
                        + URLEncoder.encode(id, StandardCharsets.UTF_8);
        EventStream stream = new EventStream(response);
        try (Subscription subscription =
                        subscriptions.open(
                                scope,
                                id,
                                Rights.of(request),
                                SubscriptionFilter.ofSession(caller));
                OpenStreams.Registration _ = parts.streams().register(subscription::close)) {
            StreamedWork.<Event>run(
                    disconnects,
                    request,
                    BEAT,
                    events -> {
                        converse(id, scope, request, messages, subscription, events);
                        return new Event.End();
                    },
                    new EventWriter(stream));
        }
    }

    /** Runs until either side ends the stream. */
    private void converse(
            String id,
            EndpointScope scope,
            HttpServletRequest request,
            String messages,
            Subscription subscription,
            Consumer<Event> events) {
        try (LegacySseConnection connection =
                new LegacySseConnection(
                        id,
                        scope,
                        new RequestHeaders(request),
                        gateway,
                        message -> events.accept(Event.Message.of(message)))) {
            parts.connections().add(connection);
            try {
                events.accept(new Event.Endpoint(messages));
                while (!subscription.isClosed()) {
                    subscription
                            .next(BEAT)
                            .forEach(message -> events.accept(Event.Message.of(message)));
                }
            } finally {
                parts.connections().remove(connection);
                connection.session().ifPresent(this::end);
            }
        } catch (InterruptedException e) {
            // The client is gone; this thread has nothing else to do.
        }
    }

    private void end(ClientSession session) {
        resources.end(session);
        logLevels.end(session);
    }

    private record EventWriter(EventStream stream) implements StreamedWork.Writer<Event> {

        @Override
        public void write(@Nullable Event event) throws IOException {
            LegacySseEndpoint.write(stream, event);
        }

        @Override
        public boolean isDroppable(Event event) {
            return event instanceof Event.Message(byte[] _, boolean droppable) && droppable;
        }

        @Override
        public long bytes(Event event) {
            return event instanceof Event.Message(byte[] content, boolean _) ? content.length : 0;
        }
    }

    private static void write(EventStream stream, @Nullable Event event) throws IOException {
        switch (event) {
            case null -> stream.beat();
            case Event.Endpoint(String path) -> {
                stream.open();
                stream.writeEndpoint(path);
                stream.flush();
            }
            case Event.Message(byte[] content, boolean _) -> {
                stream.write(content);
                stream.flush();
            }
            case Event.End() -> stream.flush();
        }
    }

    private void take(EndpointScope scope, HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        String id = request.getParameter(SESSION);
        if (id == null) {
            throw ProtocolError.invalidRequest(
                    400, "\"sessionId\" is missing: post to the path that the stream sent");
        }
        JsonRpcRequestBody body = JsonRpcRequestBody.readMessages(request);
        if (body.isBatch()) {
            throw ProtocolError.invalidRequest(400, "Batches are not served over HTTP+SSE");
        }
        String caller = new RequestHeaders(request).caller();
        for (JsonRpcMessage message : body.messages()) {
            parts.connections().deliver(scope, caller, id, message);
        }
        response.setStatus(202);
    }
}
