package dev.orloj.server.mcp.methods;

import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.runtime.observation.RequestObserver;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.telemetry.ServedRequest;
import dev.orloj.server.telemetry.ServedRequestListener;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Notifies a listener of a client's request and of how it ended, whether by a result or by an
 * exception.
 */
final class ObservedResponse {

    /** The OpenTelemetry conventions use this for an error without a type. */
    private static final RequestEnd OTHER = end("_OTHER");

    private ObservedResponse() {}

    /** Answers the request. */
    @FunctionalInterface
    interface Source {
        ObjectNode answer() throws InterruptedException;
    }

    /** Returns the result of the source, or throws what it throws. */
    static ObjectNode of(ClientRequest request, ServedRequestListener listener, Source source)
            throws InterruptedException {
        if (listener == ServedRequestListener.NONE) {
            return source.answer();
        }
        RequestObserver observer = listener.asked(describe(request));
        RequestEnd end = OTHER;
        try {
            ObjectNode result = source.answer();
            end = end(result.path("isError").asBoolean(false) ? "tool_error" : "");
            return result;
        } catch (ProtocolError e) {
            int code = e.error().code();
            end =
                    new RequestEnd(
                            Integer.toString(code), OptionalInt.of(code), OptionalLong.empty());
            throw e;
        } catch (InterruptedException e) {
            end = end("cancelled");
            throw e;
        } finally {
            observer.ended(end);
        }
    }

    private static ServedRequest describe(ClientRequest request) {
        String namespace =
                switch (request.scope()) {
                    case EndpointScope.Namespace scope -> scope.namespace();
                    case EndpointScope.Server scope -> scope.server().namespace();
                };
        Optional<String> server =
                switch (request.scope()) {
                    case EndpointScope.Namespace _ -> Optional.empty();
                    case EndpointScope.Server scope -> Optional.of(scope.server().name());
                };
        return new ServedRequest.Agent(
                request.method(),
                request.revision().version(),
                request.session().map(ClientSession::id),
                request.id().asString(),
                namespace,
                server,
                request.params());
    }

    private static RequestEnd end(String errorType) {
        return new RequestEnd(errorType, OptionalInt.empty(), OptionalLong.empty());
    }
}
