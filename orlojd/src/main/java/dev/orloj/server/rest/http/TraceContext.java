package dev.orloj.server.rest.http;

import dev.orloj.api.codec.Json;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.regex.Pattern;

/**
 * The trace that a request belongs to: in headers as in W3C Trace Context, and in {@code _meta} as
 * in OpenTelemetry's conventions for MCP.
 */
public final class TraceContext {

    private static final Pattern PARENT =
            Pattern.compile(
                    "(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

    private static final Pattern STATE = Pattern.compile("[ -~]{1,512}");

    private TraceContext() {}

    /** What an MCP server gets besides the call; empty when the request names no trace. */
    public static ObjectNode extra(HttpServletRequest request) {
        ObjectNode extra = Json.MAPPER.createObjectNode();
        @Nullable String parent = request.getHeader("traceparent");
        if (parent != null && PARENT.matcher(parent).matches()) {
            ObjectNode meta = extra.putObject("_meta").put("traceparent", parent);
            @Nullable String state = request.getHeader("tracestate");
            if (state != null && STATE.matcher(state).matches()) {
                meta.put("tracestate", state);
            }
        }
        return extra;
    }
}
