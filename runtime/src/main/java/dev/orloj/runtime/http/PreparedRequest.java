package dev.orloj.runtime.http;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.Map;

/**
 * A request with all arguments in their places.
 *
 * @param body null for none
 */
record PreparedRequest(
        String method, URI target, Map<String, String> headers, byte @Nullable [] body) {

    /** Repeating it does no more than making it once (RFC 9110, 9.2.2). */
    boolean isIdempotent() {
        return !method.equals("POST") && !method.equals("PATCH");
    }

    int bodyLength() {
        return body == null ? 0 : body.length;
    }

    /** Arguments and credentials may be secret. */
    @Override
    public String toString() {
        return "PreparedRequest[" + method + "]";
    }
}
