package dev.orloj.server.mcp.methods;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.gateway.GatewayPath;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.runtime.observation.RequestObserver;
import dev.orloj.server.audit.CallAudit;
import dev.orloj.server.gateway.GatewayLoops;
import dev.orloj.server.mcp.catalog.FeatureList;
import dev.orloj.server.mcp.elicitation.CallingClient;
import dev.orloj.server.mcp.elicitation.LegacyElicitationBridge;
import dev.orloj.server.mcp.protocol.ClientEra;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.MultiRoundTrip;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.ReservedMeta;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Set;

/** Dispatches the requests of clients to their handlers, in all revisions. Thread-safe. */
public final class MethodHandlers {

    /** Methods whose results come from a server. */
    private static final Set<String> PASSED_ON =
            Set.of("tools/call", "prompts/get", "resources/read", "completion/complete");

    /** Methods that reach no server, so they cannot loop. */
    private static final Set<String> ANSWERED_HERE =
            Set.of("ping", "tools/list", "server/discover", "logging/setLevel");

    /** The client has disconnected; this status is only recorded. */
    private static final int CLIENT_CLOSED_REQUEST = 499;

    private final ServerInitializer initializer;
    private final ToolHandlers tools;
    private final FeatureHandlers features;
    private final LegacyElicitationBridge elicitationBridge;
    private final CallObserver observer;
    private final GatewayLoops loops;
    private final CallAudit audit;

    public MethodHandlers(
            ServerInitializer initializer,
            ToolHandlers tools,
            FeatureHandlers features,
            LegacyElicitationBridge elicitationBridge,
            CallObserver observer,
            GatewayLoops loops,
            CallAudit audit) {
        this.audit = audit;
        this.loops = loops;
        this.initializer = initializer;
        this.tools = tools;
        this.features = features;
        this.elicitationBridge = elicitationBridge;
        this.observer = observer;
    }

    /**
     * The response to a request.
     *
     * @param status of HTTP, where the message is the whole response
     */
    public record Answer(int status, JsonRpcMessage message) {}

    /**
     * Handles a request. Converts every failure to an error response, for all transports.
     *
     * @throws InterruptedException when the response is no longer needed
     */
    public Answer answer(ClientRequest request, CallingClient agent) throws InterruptedException {
        RequestObserver observed = RequestObserver.NONE;
        RequestEnd end = RequestEnd.OTHER;
        CallAudit.Call audited = CallAudit.Call.NONE;
        int code = 500;
        try {
            audited = audited(request);
            CallAudit.Call call = audited;
            List<String> passed = passed(request);
            observed = observer.served(request::observed);
            ObjectNode result =
                    passed.isEmpty()
                            ? result(request, agent, call)
                            : GatewayPath.during(passed, () -> result(request, agent, call));
            end = RequestEnd.answered(result);
            code = 200;
            return new Answer(200, new Response(request.id(), result));
        } catch (ProtocolError | ApiException e) {
            ProtocolError error =
                    e instanceof ApiException api ? ProtocolError.ofApi(api) : (ProtocolError) e;
            end = RequestEnd.failed(error.error().code());
            code = error.httpStatus();
            return new Answer(
                    request.era().status(error), new ErrorResponse(request.id(), error.error()));
        } catch (InterruptedException e) {
            end = RequestEnd.CANCELLED;
            code = CLIENT_CLOSED_REQUEST;
            throw e;
        } catch (RuntimeException e) { // the edge: the client gets a response to any failure
            return new Answer(200, new ErrorResponse(request.id(), UnexpectedFailure.report(e)));
        } finally {
            observed.ended(end);
            audited.ended(code, end.errorType());
        }
    }

    private CallAudit.Call audited(ClientRequest request) {
        if (!request.method().equals(ServedMethod.CALL_TOOL.text())) {
            return CallAudit.Call.NONE;
        }
        String namespace = request.scope().namespace();
        String name = request.params().path("name").asString("");
        return audit.begin(request.headers().request(), new ResourceKey(namespace, name));
    }

    /** Returns the gateways that the request has passed through; refuses a loop. */
    private List<String> passed(ClientRequest request) {
        List<String> passed =
                GatewayPath.parse(request.headers().request().getHeader(GatewayPath.HEADER));
        if (!ANSWERED_HERE.contains(request.method())) {
            loops.objection(passed)
                    .ifPresent(
                            why -> {
                                throw ProtocolError.loop(why);
                            });
        }
        return passed;
    }

    private ObjectNode result(ClientRequest request, CallingClient agent, CallAudit.Call audited)
            throws InterruptedException {
        return switch (request.era()) {
            case ClientEra.Legacy _ -> inSession(request, agent, audited);
            case ClientEra.Modern era ->
                    completed(request, stateless(request, era, agent, audited));
        };
    }

    private ObjectNode inSession(ClientRequest request, CallingClient agent, CallAudit.Call audited)
            throws InterruptedException {
        ServedMethod method = ServedMethod.ofSession(request.method());
        return switch (method) {
            case PING -> Json.MAPPER.createObjectNode();
            case CALL_TOOL -> {
                ToolCall call = tools.begin(request, audited);
                yield request.rights().dependOnUser()
                        ? call.runWhileAllowed(agent)
                        : call.run(agent);
            }
            case SET_LOG_LEVEL -> features.setLogLevel(request, agent);
            case SUBSCRIBE -> features.subscribe(request);
            case UNSUBSCRIBE -> features.unsubscribe(request);
            default -> common(method, request, agent);
        };
    }

    private ObjectNode stateless(
            ClientRequest request,
            ClientEra.Modern era,
            CallingClient agent,
            CallAudit.Call audited)
            throws InterruptedException {
        ServedMethod method = ServedMethod.stateless(request.method());
        return switch (method) {
            case DISCOVER -> initializer.discover(request.scope(), request.rights(), era);
            case CALL_TOOL -> {
                ToolCall call = tools.begin(request, audited);
                if (!request.rights().dependOnUser()) {
                    yield elicitationBridge.make(request, agent, call::server, call::run);
                }
                call.server(); // a later round needs the right too, at every replica
                yield elicitationBridge.make(request, agent, call::server, call::runWhileAllowed);
            }
            default ->
                    MultiRoundTrip.METHODS.contains(request.method())
                            ? elicitationBridge.make(
                                    request, agent, client -> common(method, request, client))
                            : common(method, request, agent);
        };
    }

    private ObjectNode common(ServedMethod method, ClientRequest request, CallingClient agent)
            throws InterruptedException {
        return switch (method) {
            case LIST_TOOLS -> {
                ObjectNode list = tools.list(request);
                loops.declare(list, server -> initializer.shows(request, server));
                yield list;
            }
            case GET_PROMPT -> features.getPrompt(request, agent);
            case READ_RESOURCE -> features.readResource(request, agent);
            case COMPLETE -> features.complete(request, agent);
            case LIST_PROMPTS, LIST_RESOURCES, LIST_TEMPLATES ->
                    features.list(
                            request, FeatureList.ofMethod(request.method()).orElseThrow(), agent);
            default -> throw ProtocolError.methodNotFound(request.method());
        };
    }

    /** Adds the result type and the server info that every result has in revision 2026-07-28. */
    private ObjectNode completed(ClientRequest request, ObjectNode result) {
        if (result.has("resultType")) {
            return result;
        }
        ObjectNode complete = Json.MAPPER.createObjectNode().put("resultType", "complete");
        complete.setAll(result);
        if (!PASSED_ON.contains(request.method())) {
            complete.withObjectProperty(ReservedMeta.MEMBER)
                    .set(
                            ReservedMeta.SERVER_INFO,
                            initializer.serverInfo(request.scope(), request.rights()));
        }
        return complete;
    }
}
