package dev.orloj.server.telemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Objects;

/** Propagates W3C Trace Context in the {@code _meta} of the params of an MCP request. */
final class MetaPropagation {

    private static final String META = "_meta";
    private static final TextMapGetter<JsonNode> MEMBERS = new Members();

    private MetaPropagation() {}

    /** Returns the context of the caller; a context without a span when the params contain none. */
    private static Context extract(ObjectNode params) {
        return W3CTraceContextPropagator.getInstance()
                .extract(Context.root(), params.path(META), MEMBERS);
    }

    /** Starts a child of the span in the params and replaces the params' span with it. */
    static Span replace(ObjectNode params, SpanBuilder builder) {
        Context parent = extract(params);
        Span span = builder.setParent(parent).startSpan();
        inject(parent.with(span), params);
        return span;
    }

    private static void inject(Context context, ObjectNode params) {
        if (params.has(META) && !params.path(META).isObject()) {
            return; // the server rejects a malformed {@code _meta}
        }
        W3CTraceContextPropagator.getInstance()
                .inject(
                        context,
                        params.withObjectProperty(META),
                        (meta, key, value) -> Objects.requireNonNull(meta).put(key, value));
    }

    private static final class Members implements TextMapGetter<JsonNode> {

        @Override
        public Iterable<String> keys(JsonNode meta) {
            return meta.propertyNames();
        }

        @Override
        public @Nullable String get(@Nullable JsonNode meta, String key) {
            return meta == null ? null : meta.path(key).stringValue(null);
        }
    }
}
