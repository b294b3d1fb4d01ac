package dev.orloj.server.mcp;

import dev.orloj.api.ApiException;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.runtime.session.AlarmClock;
import dev.orloj.runtime.session.LogListener;
import dev.orloj.runtime.session.RequestingClient;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.server.hangup.HangUps;
import dev.orloj.server.sse.ServerSentEvents;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.Serial;
import java.util.Optional;

/**
 * Streamable HTTP for agents, in every revision that has it. A servlet of its own, since half of
 * the time of a warm call would go into the search for a handler.
 */
final class McpEndpoint extends HttpServlet {

    @Serial private static final long serialVersionUID = 1L;

    private static final String LISTEN = "subscriptions/listen";

    private final transient AgentMethods methods;
    private final transient Introductions introductions;
    private final transient SessionGate sessions;
    private final transient NotificationStreams streams;
    private final transient Subscriptions subscriptions;
    private final transient ResourceSubscriptions resources;
    private final transient SessionLogLevels logLevels;
    private final transient HangUps hangUps;
    private final transient OpenAnswers open;
    private final transient ClientQuestions questions;
    private final transient SessionMessages messages;
    private final transient Batches batches;
    private final transient CallsInFlight calls = new CallsInFlight();
    private final transient SseDoor sse;

    McpEndpoint(Parts parts, SseDoor sse) {
        this.sse = sse;
        this.methods = parts.methods();
        this.introductions = parts.introductions();
        this.sessions = parts.sessions();
        this.streams = parts.streams();
        this.subscriptions = parts.subscriptions();
        this.resources = parts.resources();
        this.logLevels = parts.logLevels();
        this.hangUps = parts.hangUps();
        this.open = new OpenAnswers(parts.clock());
        this.questions = parts.questions();
        this.messages = new SessionMessages(calls, parts.answers());
        this.batches = new Batches(methods, calls, messages);
    }

    /** What the endpoint is made of. */
    record Parts(
            AgentMethods methods,
            Introductions introductions,
            SessionGate sessions,
            NotificationStreams streams,
            Subscriptions subscriptions,
            ResourceSubscriptions resources,
            SessionLogLevels logLevels,
            HangUps hangUps,
            AlarmClock clock,
            ClientQuestions questions,
            ClientAnswers answers) {}

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try {
            Optional<SsePath> old =
                    SsePath.parse(request.getRequestURI())
                            .filter(path -> introductions.isKnown(path.scope()));
            if (old.isPresent()) {
                ChosenServers.forbid(request);
                sse.serve(old.get(), request, response);
                return;
            }
            Scope endpoint =
                    Scope.parse(request.getRequestURI())
                            .filter(introductions::isKnown)
                            .orElseThrow(McpEndpoint::notFound);
            Scope scope = ChosenServers.narrow(endpoint, request);
            RequestHeaders headers = new RequestHeaders(request);
            switch (request.getMethod()) {
                case "POST" -> post(scope, headers, response);
                case "GET" -> follow(scope, headers, response);
                case "DELETE" -> end(scope, headers, response);
                default -> {
                    response.setHeader("Allow", "GET, POST, DELETE");
                    throw ProtocolError.invalidRequest(405, "Messages are sent with POST");
                }
            }
        } catch (ProtocolError e) {
            refuse(response, null, e);
        } catch (ApiException e) {
            refuse(response, null, ProtocolError.ofApi(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            refuse(response, null, ProtocolError.internal("The server is shutting down", null));
        }
    }

    private static ProtocolError notFound() {
        return ProtocolError.invalidRequest(
                404,
                "There is no such endpoint, namespace or server; endpoints are /mcp, /mcp/NAMESPACE"
                        + " and /mcp/NAMESPACE/mcpservers/NAME");
    }

    private void post(Scope scope, RequestHeaders headers, HttpServletResponse response)
            throws IOException, InterruptedException {
        Incoming incoming = Incoming.read(headers.request());
        if (incoming.isBatch()) {
            ClientSession session = sessions.require(scope, headers);
            ArrayNode told = batches.answer(scope, session, incoming, headers);
            if (told.isEmpty()) {
                response.setStatus(202);
            } else {
                send(response, 200, Json.MAPPER.writeValueAsBytes(told));
            }
            return;
        }
        JsonRpcMessage message = incoming.messages().getFirst();
        switch (message) {
            case Request request -> answer(scope, request, headers, response);
            case Notification _ when isStateless(headers) -> response.setStatus(202);
            case Notification _, Response _, ErrorResponse _ -> {
                messages.take(sessions.require(scope, headers), message);
                response.setStatus(202);
            }
        }
    }

    private void answer(
            Scope scope, Request request, RequestHeaders headers, HttpServletResponse response)
            throws IOException, InterruptedException {
        try {
            if (StatelessRequests.isStateless(request, headers)) {
                introductions.requireChosen(scope);
                AgentRequest read = StatelessRequests.read(scope, request, headers);
                if (read.method().equals(LISTEN)) {
                    streams.listen(read, response);
                } else {
                    answer(read, response);
                }
            } else if (request.method().equals("initialize")) {
                initialize(scope, request, response);
            } else {
                ClientSession session = sessions.require(scope, headers);
                answer(SessionGate.read(scope, session, request, headers), response);
            }
        } catch (ProtocolError e) {
            refuse(response, request.id(), e);
        }
    }

    private void initialize(Scope scope, Request request, HttpServletResponse response)
            throws IOException {
        ObjectNode params =
                AgentRequest.objectOf(request.params(), "params", Json.MAPPER.createObjectNode());
        introductions.requireChosen(scope);
        ClientSession session = introductions.agree(scope, params);
        response.setHeader(RequestHeaders.SESSION_ID, sessions.sign(session));
        send(
                response,
                200,
                JsonRpcCodec.encode(
                        new Response(request.id(), introductions.initialize(scope, session))));
    }

    private void answer(AgentRequest request, HttpServletResponse response) throws IOException {
        try (CallsInFlight.Call call = calls.begin(request);
                HangUps.Attention _ = attend(request, call);
                PostAnswer answer = new PostAnswer(response, open)) {
            try {
                ObjectNode result =
                        methods.answer(
                                request,
                                CallingAgent.on(answer, request, clientOf(request, answer)));
                answer.end(200, new Response(request.id(), result));
            } catch (ProtocolError e) {
                answer.end(
                        request.revision().isStateless() ? e.status() : 200,
                        new ErrorResponse(request.id(), e.error()));
            } catch (InterruptedException e) {
                if (call.isCancelled()) {
                    answer.endWithout();
                } else {
                    answer.end(200, new ErrorResponse(request.id(), shuttingDown()));
                }
            } catch (RuntimeException e) { // the edge: whatever it is, the agent is answered
                answer.end(200, new ErrorResponse(request.id(), UnexpectedFailure.report(e)));
            }
        }
    }

    private RequestingClient clientOf(AgentRequest request, PostAnswer answer) {
        LogListener logs = new RequestLogs(request, logLevels.of(request), answer);
        return request.session()
                .<RequestingClient>map(
                        session -> new SessionClient(session, answer, questions, logs))
                .orElseGet(() -> RequestingClient.of(request.capabilities(), logs));
    }

    /** In the older revisions an agent may lose its connection and still want the work done. */
    private HangUps.@Nullable Attention attend(AgentRequest request, CallsInFlight.Call call) {
        return request.revision().isStateless()
                ? hangUps.attend(request.headers().request(), call::cancel)
                : null;
    }

    private static JsonRpcError shuttingDown() {
        return new JsonRpcError(JsonRpcError.INTERNAL_ERROR, "The server is shutting down", null);
    }

    private static boolean isStateless(RequestHeaders headers) {
        return headers.protocolVersion()
                .flatMap(ProtocolRevision::of)
                .filter(ProtocolRevision::isStateless)
                .isPresent();
    }

    private void follow(Scope scope, RequestHeaders headers, HttpServletResponse response)
            throws IOException, InterruptedException {
        if (isStateless(headers)) {
            response.setHeader("Allow", "POST");
            throw ProtocolError.invalidRequest(
                    405, "What happens is told to \"%s\"".formatted(LISTEN));
        }
        if (!Incoming.accepts(headers.request(), ServerSentEvents.MEDIA_TYPE)) {
            throw ProtocolError.invalidRequest(
                    406, "The Accept header must list " + ServerSentEvents.MEDIA_TYPE);
        }
        streams.follow(scope, sessions.require(scope, headers), headers, response);
    }

    private void end(Scope scope, RequestHeaders headers, HttpServletResponse response) {
        if (isStateless(headers)) {
            response.setHeader("Allow", "POST");
            throw ProtocolError.invalidRequest(405, "There is no session to be ended");
        }
        ClientSession session = sessions.require(scope, headers);
        sessions.end(session);
        resources.end(session);
        logLevels.end(session);
        subscriptions.closeSession(session.id());
        response.setStatus(204);
    }

    private static void refuse(HttpServletResponse response, @Nullable JsonNode id, ProtocolError e)
            throws IOException {
        if (!response.isCommitted()) {
            send(response, e.status(), JsonRpcCodec.encode(new ErrorResponse(id, e.error())));
        }
    }

    private static void send(HttpServletResponse response, int status, byte[] body)
            throws IOException {
        response.setStatus(status);
        response.setContentType("application/json");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
