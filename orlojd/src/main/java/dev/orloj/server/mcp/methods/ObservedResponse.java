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
 * Reports the outcome of one client request to a listener: an error without a type, unless an
 * outcome is set before it is closed. For one thread.
 */
final class ObservedResponse implements AutoCloseable {

    /** The type that the OpenTelemetry conventions specify for an error without a type. */
    private static final RequestEnd OTHER = end("_OTHER");

    private final RequestObserver observer;
    private RequestEnd end = OTHER;

    private ObservedResponse(RequestObserver observer) {
        this.observer = observer;
    }

    static ObservedResponse begin(ClientRequest request, ServedRequestListener listener) {
        return new ObservedResponse(
                listener == ServedRequestListener.NONE
                        ? RequestObserver.NONE
                        : listener.asked(describe(request)));
    }

    void answered(ObjectNode result) {
        end = end(result.path("isError").asBoolean(false) ? "tool_error" : "");
    }

    void failed(ProtocolError error) {
        int code = error.error().code();
        end = new RequestEnd(Integer.toString(code), OptionalInt.of(code), OptionalLong.empty());
    }

    void cancelled() {
        end = end("cancelled");
    }

    @Override
    public void close() {
        observer.ended(end);
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
        return new ServedRequest.Mcp(
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
