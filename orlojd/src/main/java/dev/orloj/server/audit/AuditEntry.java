package dev.orloj.server.audit;

import dev.orloj.api.ResourceKey;
import dev.orloj.server.authorization.UserInfo;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Optional;

/**
 * What a request leaves behind for the log: made on its thread, and read by the writer. Nothing in
 * it is decoded or checked yet.
 *
 * @param impersonated the user that it acted as
 * @param tool the tool that was called over MCP
 * @param code status of HTTP
 * @param name of the resource that it created; empty where the path has it
 * @param callId empty for what is not a call
 * @param error what went wrong in a call, beyond the code
 */
record AuditEntry(
        Received request,
        UserInfo user,
        Optional<UserInfo> impersonated,
        Optional<ResourceKey> tool,
        int code,
        String name,
        String callId,
        String error,
        long nanos) {

    /** A request as it came. */
    record Received(
            Instant at,
            long begin,
            String method,
            String uri,
            @Nullable String query,
            String address,
            @Nullable String userAgent,
            @Nullable String traceParent) {

        static Received of(HttpServletRequest request, Instant now) {
            return new Received(
                    now,
                    System.nanoTime(),
                    request.getMethod(),
                    request.getRequestURI(),
                    request.getQueryString(),
                    request.getRemoteAddr(),
                    request.getHeader("User-Agent"),
                    request.getHeader("traceparent"));
        }

        long elapsed() {
            return System.nanoTime() - begin;
        }
    }

    Instant ended() {
        return request.at().plusNanos(nanos);
    }

    /** Returns whether the client was refused, which costs it nothing and may happen often. */
    boolean isRefusal() {
        return code == 401 || code == 403;
    }
}
