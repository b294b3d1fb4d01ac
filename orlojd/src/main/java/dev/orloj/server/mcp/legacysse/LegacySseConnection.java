package dev.orloj.server.mcp.legacysse;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.server.mcp.elicitation.CallingClient;
import dev.orloj.server.mcp.elicitation.ServerToClientRequests;
import dev.orloj.server.mcp.elicitation.ServerToClientStream;
import dev.orloj.server.mcp.elicitation.SessionRequestSender;
import dev.orloj.server.mcp.methods.MethodHandlers;
import dev.orloj.server.mcp.methods.RequestLogs;
import dev.orloj.server.mcp.methods.ServerInitializer;
import dev.orloj.server.mcp.protocol.ClientEra;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.InFlightRequests;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.RequestHeaders;
import dev.orloj.server.mcp.session.SessionLogLevels;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Serves one client over HTTP+SSE while its stream is open: responses to what it posts go to the
 * stream. Each request has a thread of its own, which ends with the stream. Thread-safe.
 */
final class LegacySseConnection implements ServerToClientStream, AutoCloseable {

    /** No sensible client has more requests open at a time. */
    static final int MAX_REQUESTS = 100;

    private final String id;
    private final EndpointScope scope;
    private final RequestHeaders headers;
    private final String caller;
    private final Gateway gateway;
    private final Consumer<JsonRpcMessage> out;
    private final Semaphore free = new Semaphore(MAX_REQUESTS);
    private final Set<InFlightRequests.Call> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable ClientSession session;
    private final Set<CompletableFuture<JsonRpcMessage>> questions = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** The handlers of requests. */
    record Gateway(
            MethodHandlers handlers,
            ServerInitializer initializer,
            InFlightRequests calls,
            ServerToClientRequests questions,
            SessionLogLevels logLevels) {}

    /**
     * @param id unlike that of any other, on all replicas
     * @param headers of the request that opened the stream
     * @param out takes messages for the client; returns at once
     */
    LegacySseConnection(
            String id,
            EndpointScope scope,
            RequestHeaders headers,
            Gateway gateway,
            Consumer<JsonRpcMessage> out) {
        this.id = id;
        this.scope = scope;
        this.headers = headers;
        this.caller = headers.caller();
        this.gateway = gateway;
        this.out = out;
    }

    String id() {
        return id;
    }

    /** The user who opened the stream. */
    String caller() {
        return caller;
    }

    EndpointScope scope() {
        return scope;
    }

    /** The session of {@code initialize}; empty before it. */
    Optional<ClientSession> session() {
        return Optional.ofNullable(session);
    }

    /**
     * Accepts a message of the client, without waiting for its processing, except that of {@code
     * initialize}, which comes first.
     */
    void receive(JsonRpcMessage message) throws InterruptedException {
        switch (message) {
            case Request request when request.method().equals("initialize") -> initialize(request);
            case Request request -> begin(request);
            case Notification notification -> gateway.calls().heed(id, notification);
            case Response(JsonNode asked, JsonNode _) -> answered(asked, message);
            case ErrorResponse(JsonNode asked, JsonRpcError _) -> answered(asked, message);
        }
    }

    private void answered(@Nullable JsonNode asked, JsonRpcMessage answer) {
        ClientSession agreed = session;
        if (agreed != null && asked != null) {
            gateway.questions().answered(agreed.id(), asked, answer);
        }
    }

    private void initialize(Request request) throws InterruptedException {
        try {
            ObjectNode params =
                    ClientRequest.objectOf(
                            request.params(), "params", Json.MAPPER.createObjectNode());
            ServerInitializer.Initialized begun =
                    gateway.initializer().initialize(scope, caller, headers.rights(), params);
            session = begun.session().withId(id);
            out.accept(new Response(request.id(), begun.result()));
        } catch (ProtocolError e) {
            out.accept(new ErrorResponse(request.id(), e.error()));
        }
    }

    private void begin(Request request) {
        ClientSession agreed = session;
        if (agreed == null) {
            refuse(request, "Begin with \"initialize\"");
        } else {
            begin(agreed, request, new ClientEra.Legacy(agreed).read(scope, request, headers));
        }
    }

    private void begin(ClientSession agreed, Request request, ClientRequest read) {
        if (!free.tryAcquire()) {
            refuse(request, "At most %d requests are answered at a time".formatted(MAX_REQUESTS));
            return;
        }
        Thread.ofVirtual().name("orloj-mcp-sse").start(() -> respond(agreed, read));
    }

    private void respond(ClientSession agreed, ClientRequest request) {
        Optional<JsonRpcMessage> response;
        try {
            response = answer(agreed, request);
        } finally {
            // Before the response: on its receipt, the client may send the next request.
            free.release();
        }
        response.ifPresent(out);
    }

    private void refuse(Request request, String why) {
        out.accept(new ErrorResponse(request.id(), ProtocolError.invalidRequest(400, why).error()));
    }

    /** Returns empty when the request was cancelled: the client expects no response. */
    private Optional<JsonRpcMessage> answer(ClientSession agreed, ClientRequest request) {
        LogListener logs = new RequestLogs(request, gateway.logLevels().of(request), this);
        CallingClient caller =
                CallingClient.on(
                        this,
                        request,
                        new SessionRequestSender(
                                agreed,
                                this,
                                gateway.questions(),
                                logs,
                                request.headers().subjectToken()));
        try (InFlightRequests.Call call = gateway.calls().begin(request)) {
            open.add(call);
            if (closed) {
                call.cancel();
            }
            try {
                return Optional.of(gateway.handlers().answer(request, caller).message());
            } catch (InterruptedException e) {
                return Optional.empty();
            } finally {
                open.remove(call);
            }
        }
    }

    @Override
    public void ask(Request request, CompletableFuture<JsonRpcMessage> answer) {
        questions.add(answer);
        answer.whenComplete((message, failure) -> questions.remove(answer));
        if (closed) {
            answer.completeExceptionally(new IOException("The client is gone"));
        } else {
            out.accept(request);
        }
    }

    @Override
    public void send(JsonRpcMessage message) {
        out.accept(message);
    }

    /** Cancels the requests in progress: the client is gone. */
    @Override
    public void close() {
        closed = true;
        open.forEach(InFlightRequests.Call::cancel);
        questions.forEach(
                answer -> answer.completeExceptionally(new IOException("The client is gone")));
    }
}
