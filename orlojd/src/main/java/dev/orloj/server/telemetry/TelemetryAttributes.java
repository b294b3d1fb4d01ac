package dev.orloj.server.telemetry;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.runtime.observation.SentRequest;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.transport.ServerAddress;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;

import java.net.URI;

/**
 * Holds the attributes of spans and metrics for a request. Names without "orloj" are those of
 * OpenTelemetry's conventions for MCP: https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
 *
 * @param onMetrics excludes session names and values that callers choose
 * @param onSpan includes all of {@code onMetrics}, and more
 */
record TelemetryAttributes(String spanName, Attributes onMetrics, Attributes onSpan) {

    static final AttributeKey<String> REQUEST_ID = AttributeKey.stringKey("jsonrpc.request.id");

    static final AttributeKey<String> METHOD = AttributeKey.stringKey("mcp.method.name");
    static final AttributeKey<String> SESSION = AttributeKey.stringKey("mcp.session.id");
    static final AttributeKey<String> REVISION = AttributeKey.stringKey("mcp.protocol.version");
    static final AttributeKey<String> OPERATION = AttributeKey.stringKey("gen_ai.operation.name");
    static final AttributeKey<String> TOOL = AttributeKey.stringKey("gen_ai.tool.name");
    static final AttributeKey<String> PROMPT = AttributeKey.stringKey("gen_ai.prompt.name");
    static final AttributeKey<String> TRANSPORT = AttributeKey.stringKey("network.transport");
    private static final AttributeKey<String> ADDRESS = AttributeKey.stringKey("server.address");
    private static final AttributeKey<Long> PORT = AttributeKey.longKey("server.port");
    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
    private static final AttributeKey<String> STATUS_CODE =
            AttributeKey.stringKey("rpc.response.status_code");
    static final AttributeKey<String> NAMESPACE = AttributeKey.stringKey("orloj.namespace");
    static final AttributeKey<String> SERVER = AttributeKey.stringKey("orloj.server");

    static TelemetryAttributes of(SentRequest request) {
        String name = request.params().path("name").asString("");
        AttributesBuilder metrics = common(request);
        AttributesBuilder span = common(request).put(SESSION, request.session());
        String target = "";
        switch (request.method()) {
            case "tools/call" -> {
                target = " " + name;
                metrics.put(OPERATION, "execute_tool").put(TOOL, name);
                span.put(OPERATION, "execute_tool").put(TOOL, name);
            }
            case "prompts/get" -> {
                target = " " + name;
                span.put(PROMPT, name);
            }
            default -> {}
        }
        return new TelemetryAttributes(request.method() + target, metrics.build(), span.build());
    }

    private static AttributesBuilder common(SentRequest request) {
        AttributesBuilder attributes =
                Attributes.builder()
                        .put(METHOD, request.method())
                        .put(REVISION, request.protocolVersion())
                        .put(NAMESPACE, request.server().namespace())
                        .put(SERVER, request.server().name());
        putAddress(attributes, request.address());
        return attributes;
    }

    /** Returns the attributes of the outcome; empty on success. */
    static Attributes of(RequestEnd end) {
        AttributesBuilder attributes = Attributes.builder();
        if (!end.errorType().isEmpty()) {
            attributes.put(ERROR_TYPE, end.errorType());
        }
        end.errorCode().ifPresent(code -> attributes.put(STATUS_CODE, Integer.toString(code)));
        return attributes.build();
    }

    /** Returns the attributes of a session that has ended. */
    static Attributes of(ResourceKey server, SessionInfo session, boolean failure) {
        AttributesBuilder attributes =
                Attributes.builder().put(NAMESPACE, server.namespace()).put(SERVER, server.name());
        if (!session.protocolVersion().isEmpty()) {
            attributes.put(REVISION, session.protocolVersion());
        }
        if (failure) {
            attributes.put(ERROR_TYPE, "session_lost");
        }
        return attributes.build();
    }

    private static void putAddress(AttributesBuilder attributes, ServerAddress address) {
        switch (address) {
            case ServerAddress.Stdio _,
                    ServerAddress.Container _,
                    ServerAddress.Pod _,
                    ServerAddress.Exec _ ->
                    attributes.put(TRANSPORT, "pipe");
            case ServerAddress.Http http -> putEndpoint(attributes, http.endpoint());
            case ServerAddress.Sse sse -> putEndpoint(attributes, sse.stream().endpoint());
        }
    }

    private static void putEndpoint(AttributesBuilder attributes, URI endpoint) {
        attributes.put(TRANSPORT, "tcp").put(ADDRESS, endpoint.getHost());
        if (endpoint.getPort() >= 0) {
            attributes.put(PORT, (long) endpoint.getPort());
        } else {
            attributes.put(PORT, endpoint.getScheme().equalsIgnoreCase("https") ? 443L : 80L);
        }
    }
}
