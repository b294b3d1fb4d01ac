package dev.orloj.server.mcp;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.runtime.session.LogListener;

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
 * An agent that speaks HTTP+SSE, as long as its stream is open: what it posts is answered there.
 * Each request has a thread of its own, which ends with the stream. Thread-safe.
 */
final class SseConnection implements QuestionStream, AutoCloseable {

    /** An agent that waits for more answers at a time has lost count. */
    private static final int MOST_REQUESTS = 100;

    private final String id;
    private final Scope scope;
    private final RequestHeaders headers;
    private final Gateway gateway;
    private final Consumer<JsonRpcMessage> out;
    private final Semaphore free = new Semaphore(MOST_REQUESTS);
    private final Set<CallsInFlight.Call> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable ClientSession session;
    private final Set<CompletableFuture<JsonRpcMessage>> questions = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** What answers requests. */
    record Gateway(
            AgentMethods methods,
            Introductions introductions,
            CallsInFlight calls,
            ClientQuestions questions,
            SessionLogLevels logLevels) {}

    /**
     * @param id unlike that of any other, on all replicas
     * @param headers of the request that opened the stream
     * @param out takes messages for the agent; returns at once
     */
    SseConnection(
            String id,
            Scope scope,
            RequestHeaders headers,
            Gateway gateway,
            Consumer<JsonRpcMessage> out) {
        this.id = id;
        this.scope = scope;
        this.headers = headers;
        this.gateway = gateway;
        this.out = out;
    }

    String id() {
        return id;
    }

    Scope scope() {
        return scope;
    }

    /** What {@code initialize} agreed on; empty before it. */
    Optional<ClientSession> session() {
        return Optional.ofNullable(session);
    }

    /** Takes a message of the agent; does not wait for what becomes of it. */
    void receive(JsonRpcMessage message) {
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

    private void initialize(Request request) {
        try {
            ObjectNode params =
                    AgentRequest.objectOf(
                            request.params(), "params", Json.MAPPER.createObjectNode());
            ClientSession agreed = gateway.introductions().agree(scope, params).withId(id);
            session = agreed;
            out.accept(
                    new Response(request.id(), gateway.introductions().initialize(scope, agreed)));
        } catch (ProtocolError e) {
            out.accept(new ErrorResponse(request.id(), e.error()));
        }
    }

    private void begin(Request request) {
        ClientSession agreed = session;
        if (agreed == null) {
            refuse(request, "Begin with \"initialize\"");
        } else {
            begin(agreed, request, SessionGate.read(scope, agreed, request, headers));
        }
    }

    private void begin(ClientSession agreed, Request request, AgentRequest read) {
        if (!free.tryAcquire()) {
            refuse(request, "At most %d requests are answered at a time".formatted(MOST_REQUESTS));
            return;
        }
        Thread.ofVirtual()
                .name("orloj-mcp-sse")
                .start(
                        () -> {
                            try {
                                answer(agreed, read);
                            } finally {
                                free.release();
                            }
                        });
    }

    private void refuse(Request request, String why) {
        out.accept(new ErrorResponse(request.id(), ProtocolError.invalidRequest(400, why).error()));
    }

    private void answer(ClientSession agreed, AgentRequest request) {
        LogListener logs = new RequestLogs(request, gateway.logLevels().of(request), this);
        CallingAgent agent =
                CallingAgent.on(
                        this, request, new SessionClient(agreed, this, gateway.questions(), logs));
        try (CallsInFlight.Call call = gateway.calls().begin(request)) {
            open.add(call);
            if (closed) {
                call.cancel();
            }
            try {
                out.accept(new Response(request.id(), gateway.methods().answer(request, agent)));
            } catch (ProtocolError e) {
                out.accept(new ErrorResponse(request.id(), e.error()));
            } catch (InterruptedException e) {
                // Cancelled: an agent that did so wants no answer.
            } catch (RuntimeException e) { // the edge: whatever it is, the agent is answered
                out.accept(new ErrorResponse(request.id(), UnexpectedFailure.report(e)));
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
            answer.completeExceptionally(new IOException("The agent is gone"));
        } else {
            out.accept(request);
        }
    }

    @Override
    public void tell(JsonRpcMessage message) {
        out.accept(message);
    }

    /** Cancels what is going on: there is nobody to be answered. */
    @Override
    public void close() {
        closed = true;
        open.forEach(CallsInFlight.Call::cancel);
        questions.forEach(
                answer -> answer.completeExceptionally(new IOException("The agent is gone")));
    }
}
