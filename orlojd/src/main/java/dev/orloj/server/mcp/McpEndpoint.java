package dev.orloj.server.mcp;

import dev.orloj.api.ApiException;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.disconnect.ClientDisconnects;
import dev.orloj.server.mcp.elicitation.CallingClient;
import dev.orloj.server.mcp.elicitation.ServerToClientRequests;
import dev.orloj.server.mcp.elicitation.ServerToClientResponses;
import dev.orloj.server.mcp.elicitation.SessionRequestSender;
import dev.orloj.server.mcp.legacysse.LegacySseEndpoint;
import dev.orloj.server.mcp.legacysse.LegacySsePath;
import dev.orloj.server.mcp.methods.MethodHandlers;
import dev.orloj.server.mcp.methods.RequestLogs;
import dev.orloj.server.mcp.methods.ServedMethod;
import dev.orloj.server.mcp.methods.ServerInitializer;
import dev.orloj.server.mcp.protocol.ClientEra;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.InFlightRequests;
import dev.orloj.server.mcp.protocol.JsonRpcRequestBody;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.RequestHeaders;
import dev.orloj.server.mcp.protocol.ServerSelection;
import dev.orloj.server.mcp.protocol.StatelessRequests;
import dev.orloj.server.mcp.resumption.RecordedStreams;
import dev.orloj.server.mcp.session.SessionAuthenticator;
import dev.orloj.server.mcp.session.SessionLogLevels;
import dev.orloj.server.mcp.subscriptions.ResourceSubscriptions;
import dev.orloj.server.mcp.subscriptions.Subscriptions;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.Serial;

/**
 * Serves Streamable HTTP to clients, in every revision that has it. A servlet of its own, because
 * looking up a Spring handler would take half of the time of a warm call.
 */
final class McpEndpoint extends HttpServlet {

    @Serial private static final long serialVersionUID = 1L;

    private static final String LISTEN = ServedMethod.LISTEN.text();

    private final transient MethodHandlers handlers;
    private final transient ServerInitializer initializer;
    private final transient SessionAuthenticator sessions;
    private final transient NotificationStreams streams;
    private final transient Subscriptions subscriptions;
    private final transient ResourceSubscriptions resources;
    private final transient SessionLogLevels logLevels;
    private final transient ClientDisconnects disconnects;
    private final transient OpenResponses open;
    private final transient ServerToClientRequests questions;
    private final transient RecordedStreams recorded;
    private final transient ClientNotifications messages;
    private final transient BatchRequests batches;
    private final transient InFlightRequests calls = new InFlightRequests();
    private final transient LegacySseEndpoint sse;

    McpEndpoint(Parts parts, LegacySseEndpoint sse) {
        this.sse = sse;
        this.handlers = parts.handlers();
        this.initializer = parts.initializer();
        this.sessions = parts.sessions();
        this.streams = parts.streams();
        this.subscriptions = parts.subscriptions();
        this.resources = parts.resources();
        this.logLevels = parts.logLevels();
        this.disconnects = parts.disconnects();
        this.open = new OpenResponses(parts.clock());
        this.questions = parts.questions();
        this.recorded = parts.recorded();
        this.messages = new ClientNotifications(calls, parts.answers());
        this.batches = new BatchRequests(handlers, calls, messages);
    }

    /** The collaborators of the endpoint. */
    record Parts(
            MethodHandlers handlers,
            ServerInitializer initializer,
            SessionAuthenticator sessions,
            NotificationStreams streams,
            Subscriptions subscriptions,
            ResourceSubscriptions resources,
            SessionLogLevels logLevels,
            ClientDisconnects disconnects,
            Scheduler clock,
            ServerToClientRequests questions,
            ServerToClientResponses answers,
            RecordedStreams recorded) {}

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try {
            Rights rights = Rights.of(request);
            LegacySsePath old = LegacySsePath.parse(request.getRequestURI()).orElse(null);
            if (old != null && initializer.isKnown(old.scope(), rights)) {
                ServerSelection.forbid(request);
                sse.serve(old, request, response);
                return;
            }
            EndpointScope endpoint =
                    EndpointScope.parse(request.getRequestURI()).orElseThrow(McpEndpoint::notFound);
            if (!initializer.isKnown(endpoint, rights)) {
                throw notFound();
            }
            EndpointScope scope = ServerSelection.narrow(endpoint, request);
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

    private ClientSession session(EndpointScope scope, RequestHeaders headers) {
        ClientSession session = sessions.require(scope, headers);
        if (!initializer.lasts(session, scope, headers.rights())) {
            throw SessionAuthenticator.over();
        }
        return session;
    }

    private static ProtocolError notFound() {
        return ProtocolError.invalidRequest(
                404,
                "There is no such endpoint, namespace or server; endpoints are /mcp, /mcp/NAMESPACE"
                        + " and /mcp/NAMESPACE/mcpservers/NAME");
    }

    private void post(EndpointScope scope, RequestHeaders headers, HttpServletResponse response)
            throws IOException, InterruptedException {
        JsonRpcRequestBody body = JsonRpcRequestBody.read(headers.request());
        if (body.isBatch()) {
            ClientSession session = session(scope, headers);
            ArrayNode responses = batches.answer(scope, session, body, headers);
            if (responses.isEmpty()) {
                response.setStatus(202);
            } else {
                send(response, 200, Json.MAPPER.writeValueAsBytes(responses));
            }
            return;
        }
        JsonRpcMessage message = body.messages().getFirst();
        switch (message) {
            case Request request -> answer(scope, request, headers, response);
            case Notification _ when StatelessRequests.isClaimedBy(headers) ->
                    response.setStatus(202);
            case Notification _, Response _, ErrorResponse _ -> {
                messages.take(session(scope, headers), message);
                response.setStatus(202);
            }
        }
    }

    private void answer(
            EndpointScope scope,
            Request request,
            RequestHeaders headers,
            HttpServletResponse response)
            throws IOException, InterruptedException {
        try {
            if (StatelessRequests.isClaimedBy(request, headers)) {
                initializer.requireChosen(scope, headers.rights());
                ClientRequest read = StatelessRequests.read(scope, request, headers);
                if (read.method().equals(LISTEN)) {
                    streams.listen(read, response);
                } else {
                    answer(read, response);
                }
            } else if (request.method().equals("initialize")) {
                initialize(scope, request, headers, response);
            } else {
                ClientSession session = session(scope, headers);
                answer(new ClientEra.Legacy(session).read(scope, request, headers), response);
            }
        } catch (ProtocolError e) {
            refuse(response, request.id(), e);
        }
    }

    private void initialize(
            EndpointScope scope,
            Request request,
            RequestHeaders headers,
            HttpServletResponse response)
            throws IOException, InterruptedException {
        ObjectNode params =
                ClientRequest.objectOf(request.params(), "params", Json.MAPPER.createObjectNode());
        ServerInitializer.Initialized begun =
                initializer.initialize(scope, headers.caller(), headers.rights(), params);
        response.setHeader(RequestHeaders.SESSION_ID, sessions.sign(begun.session()));
        send(response, 200, JsonRpcCodec.encode(new Response(request.id(), begun.result())));
    }

    private void answer(ClientRequest request, HttpServletResponse response) throws IOException {
        try (InFlightRequests.Call call = calls.begin(request);
                ClientDisconnects.ConnectionWatch _ = watchClient(request, call);
                StreamableHttpResponse answer =
                        new StreamableHttpResponse(
                                response, open, request.session().map(streams::resumption))) {
            MethodHandlers.Answer made;
            try {
                made =
                        handlers.answer(
                                request,
                                CallingClient.on(answer, request, clientOf(request, answer)));
            } catch (InterruptedException e) {
                made =
                        new MethodHandlers.Answer(
                                200, new ErrorResponse(request.id(), shuttingDown()));
            }
            if (call.complete()) {
                answer.end(made.status(), made.message());
            } else {
                answer.endWithout();
            }
        }
    }

    private RequestingClient clientOf(ClientRequest request, StreamableHttpResponse answer) {
        LogListener logs = new RequestLogs(request, logLevels.of(request), answer);
        return switch (request.era()) {
            case ClientEra.Legacy(ClientSession session) ->
                    new SessionRequestSender(
                            session, answer, questions, logs, request.headers().subjectToken());
            case ClientEra.Modern _ ->
                    RequestingClient.of(
                            request.capabilities(),
                            logs,
                            request.headers().user(),
                            request.headers().subjectToken());
        };
    }

    private ClientDisconnects.@Nullable ConnectionWatch watchClient(
            ClientRequest request, InFlightRequests.Call call) {
        return request.era().endsWithConnection()
                ? disconnects.watch(request.headers().request(), call::cancel)
                : null;
    }

    private static JsonRpcError shuttingDown() {
        return new JsonRpcError(JsonRpcError.INTERNAL_ERROR, "The server is shutting down", null);
    }

    private void follow(EndpointScope scope, RequestHeaders headers, HttpServletResponse response)
            throws IOException, InterruptedException {
        if (StatelessRequests.isClaimedBy(headers)) {
            response.setHeader("Allow", "POST");
            throw ProtocolError.invalidRequest(
                    405, "Notifications are sent on the stream of \"%s\"".formatted(LISTEN));
        }
        JsonRpcRequestBody.requireStreamIsAccepted(headers.request());
        streams.follow(scope, session(scope, headers), headers, response);
    }

    private void end(EndpointScope scope, RequestHeaders headers, HttpServletResponse response) {
        if (StatelessRequests.isClaimedBy(headers)) {
            response.setHeader("Allow", "POST");
            throw ProtocolError.invalidRequest(405, "There is no session to be ended");
        }
        ClientSession session = session(scope, headers);
        sessions.end(session);
        resources.end(session);
        logLevels.end(session);
        recorded.forget(session.id());
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
