package dev.orloj.server.mcp;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.server.hangup.HangUps;
import dev.orloj.server.hangup.StreamedWork;
import dev.orloj.server.rest.OpenStreams;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * HTTP+SSE of revision 2024-11-05: an agent listens on one path, and posts to another one, which it
 * is told first. The session is the stream, and ends with it. Thread-safe.
 */
final class SseDoor {

    /** What proxies bear with. */
    private static final Duration BEAT = Duration.ofSeconds(15);

    private static final String SESSION = "sessionId";

    private final Parts parts;
    private final SseConnection.Gateway gateway;
    private final Subscriptions subscriptions;
    private final ResourceSubscriptions resources;
    private final SessionLogLevels logLevels;
    private final HangUps hangUps;

    /** What the endpoint is made of. */
    record Parts(
            SseExposure exposure,
            SseConnections connections,
            OpenStreams streams,
            AgentMethods methods,
            Introductions introductions,
            ClientQuestions questions,
            Subscriptions subscriptions,
            ResourceSubscriptions resources,
            SessionLogLevels logLevels,
            HangUps hangUps) {}

    SseDoor(Parts parts) {
        this.parts = parts;
        this.gateway =
                new SseConnection.Gateway(
                        parts.methods(),
                        parts.introductions(),
                        new CallsInFlight(),
                        parts.questions(),
                        parts.logLevels());
        this.subscriptions = parts.subscriptions();
        this.resources = parts.resources();
        this.logLevels = parts.logLevels();
        this.hangUps = parts.hangUps();
    }

    /** Something that is written into a stream. */
    private sealed interface Event {
        record Endpoint(String path) implements Event {}

        /** Encoded, as it is known then how much waits for the agent. */
        record Message(byte[] content, boolean droppable) implements Event {

            static Message of(JsonRpcMessage message) {
                return new Message(JsonRpcCodec.encode(message), PassingNews.canBeMissed(message));
            }
        }

        record End() implements Event {}
    }

    /**
     * @throws ProtocolError when the endpoint has no such door, or the request does not fit it
     */
    void serve(SsePath path, HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        parts.exposure().require(path.scope());
        switch (path.part()) {
            case SSE -> {
                requireMethod("GET", request, response);
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

    private void listen(Scope scope, HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        String id = parts.connections().newId();
        String messages =
                request.getRequestURI().replaceFirst("/sse$", "/messages")
                        + "?sessionId="
                        + URLEncoder.encode(id, StandardCharsets.UTF_8);
        EventStream stream = new EventStream(response);
        try (Subscription subscription = subscriptions.open(scope, id, Interest.ALL_LISTS);
                OpenStreams.Registration _ = parts.streams().register(subscription::close)) {
            StreamedWork.<Event>run(
                    hangUps,
                    request,
                    BEAT,
                    news -> {
                        converse(id, scope, request, messages, subscription, news);
                        return new Event.End();
                    },
                    new EventWriter(stream));
        }
    }

    /** Until either side ends it. */
    private void converse(
            String id,
            Scope scope,
            HttpServletRequest request,
            String messages,
            Subscription subscription,
            Consumer<Event> news) {
        try (SseConnection connection =
                new SseConnection(
                        id,
                        scope,
                        new RequestHeaders(request),
                        gateway,
                        message -> news.accept(Event.Message.of(message)))) {
            parts.connections().add(connection);
            try {
                news.accept(new Event.Endpoint(messages));
                while (!subscription.isClosed()) {
                    subscription
                            .next(BEAT)
                            .forEach(message -> news.accept(Event.Message.of(message)));
                }
            } finally {
                parts.connections().remove(connection);
                connection.session().ifPresent(this::end);
            }
        } catch (InterruptedException e) {
            // The agent is gone; this thread has nothing else to do.
        }
    }

    private void end(ClientSession session) {
        resources.end(session);
        logLevels.end(session);
    }

    private record EventWriter(EventStream stream) implements StreamedWork.Writer<Event> {

        @Override
        public void write(@Nullable Event event) throws IOException {
            SseDoor.write(stream, event);
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

    private void take(Scope scope, HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        String id = request.getParameter(SESSION);
        if (id == null) {
            throw ProtocolError.invalidRequest(
                    400, "\"sessionId\" is missing: post to the path that the stream told");
        }
        Incoming incoming = Incoming.readMessages(request);
        if (incoming.isBatch()) {
            throw ProtocolError.invalidRequest(400, "Batches are not served over HTTP+SSE");
        }
        for (JsonRpcMessage message : incoming.messages()) {
            parts.connections().deliver(scope, id, message);
        }
        response.setStatus(202);
    }
}
