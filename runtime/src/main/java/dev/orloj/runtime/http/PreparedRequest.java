package dev.orloj.runtime.http;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.Map;

/**
 * A request with all arguments inserted.
 *
 * @param body null for no body
 */
record PreparedRequest(
        String method, URI target, Map<String, String> headers, byte @Nullable [] body) {

    /** Returns whether repeating the request has no further effect (RFC 9110, 9.2.2). */
    boolean isIdempotent() {
        return !method.equals("POST") && !method.equals("PATCH");
    }

    int bodyLength() {
        return body == null ? 0 : body.length;
    }

    /** Omits arguments and credentials, which may be secret. */
    @Override
    public String toString() {
        return "PreparedRequest[" + method + "]";
    }
}
