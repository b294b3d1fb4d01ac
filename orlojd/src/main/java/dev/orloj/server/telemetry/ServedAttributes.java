package dev.orloj.server.telemetry;

import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.runtime.observation.ServedRequest;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;

/**
 * Holds the attributes of spans and metrics for a request to orlojd; see {@link
 * TelemetryAttributes}.
 *
 * @param onMetrics excludes values that clients choose: contains the name of a tool only when the
 *     call had a result
 */
record ServedAttributes(String spanName, Attributes onSpan, Attributes onMetrics) {

    private static final AttributeKey<String> HTTP_METHOD =
            AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<String> HTTP_ROUTE = AttributeKey.stringKey("http.route");
    private static final AttributeKey<Long> HTTP_STATUS =
            AttributeKey.longKey("http.response.status_code");
    private static final AttributeKey<String> ORLOJ_TOOL = AttributeKey.stringKey("orloj.tool");
    private static final String CALL_ROUTE =
            "/apis/orloj.dev/v1/namespaces/{namespace}/tools/{name}/call";

    /** Replaces values that are unsuitable for a metric. */
    private static final String OTHER = "_OTHER";

    static ServedAttributes of(ServedRequest request) {
        return switch (request) {
            case ServedRequest.Mcp mcp -> ofMcp(mcp);
            case ServedRequest.ToolCall call -> ofToolCall(call);
        };
    }

    private static ServedAttributes ofMcp(ServedRequest.Mcp request) {
        AttributesBuilder common =
                Attributes.builder()
                        .put(TelemetryAttributes.METHOD, request.method())
                        .put(TelemetryAttributes.REVISION, request.protocolVersion())
                        .put(TelemetryAttributes.TRANSPORT, "tcp")
                        .put(TelemetryAttributes.NAMESPACE, request.namespace());
        request.server().ifPresent(server -> common.put(TelemetryAttributes.SERVER, server));
        if (request.method().equals("tools/call")) {
            common.put(TelemetryAttributes.OPERATION, "execute_tool");
        }
        Attributes metrics = common.build();
        common.put(TelemetryAttributes.REQUEST_ID, request.id());
        request.session().ifPresent(session -> common.put(TelemetryAttributes.SESSION, session));
        String name = request.params().path("name").asString("");
        String target =
                switch (request.method()) {
                    case "tools/call" -> {
                        common.put(TelemetryAttributes.TOOL, name);
                        yield " " + name;
                    }
                    case "prompts/get" -> {
                        common.put(TelemetryAttributes.PROMPT, name);
                        yield " " + name;
                    }
                    default -> "";
                };
        return new ServedAttributes(request.method() + target, common.build(), metrics);
    }

    private static ServedAttributes ofToolCall(ServedRequest.ToolCall call) {
        Attributes attributes =
                Attributes.builder()
                        .put(HTTP_METHOD, "POST")
                        .put(HTTP_ROUTE, CALL_ROUTE)
                        .put(TelemetryAttributes.OPERATION, "execute_tool")
                        .put(TelemetryAttributes.NAMESPACE, call.tool().namespace())
                        .put(ORLOJ_TOOL, call.tool().name())
                        .build();
        return new ServedAttributes("POST " + CALL_ROUTE, attributes, Attributes.empty());
    }

    /** Returns the span attributes of the outcome. */
    static Attributes outcome(ServedRequest request, RequestEnd end) {
        return switch (request) {
            case ServedRequest.Mcp _ -> TelemetryAttributes.of(end);
            case ServedRequest.ToolCall _ -> {
                AttributesBuilder outcome =
                        Attributes.builder().put(HTTP_STATUS, (long) end.errorCode().orElse(200));
                if (!end.errorType().isEmpty()) {
                    outcome.put(TelemetryAttributes.ERROR_TYPE, end.errorType());
                }
                yield outcome.build();
            }
        };
    }

    /** Returns all metric attributes of an MCP request. */
    Attributes measured(RequestEnd end) {
        AttributesBuilder measured = onMetrics.toBuilder().putAll(TelemetryAttributes.of(end));
        String tool = onSpan.get(TelemetryAttributes.TOOL);
        if (tool != null && end.errorCode().isEmpty()) {
            measured.put(TelemetryAttributes.TOOL, tool);
        }
        if (end.errorCode().orElse(0) == JsonRpcError.METHOD_NOT_FOUND) {
            measured.put(TelemetryAttributes.METHOD, OTHER);
        }
        return measured.build();
    }
}
