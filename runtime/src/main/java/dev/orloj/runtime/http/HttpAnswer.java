package dev.orloj.runtime.http;

import org.apache.hc.core5.http.ContentType;
import org.jspecify.annotations.Nullable;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * The response of an endpoint.
 *
 * @param phrase the reason phrase, such as {@code Not Found}
 * @param contentType null when the response has none
 * @param body the complete body; of an unsuccessful response, the beginning
 * @param location the target of a redirect
 * @param retryAfter the value of {@code Retry-After}
 */
record HttpAnswer(
        int status,
        String phrase,
        @Nullable ContentType contentType,
        byte[] body,
        Optional<String> location,
        Optional<String> retryAfter) {

    boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** Returns the type in lower case; empty when the response has none. */
    String mimeType() {
        return contentType == null ? "" : contentType.getMimeType().toLowerCase(Locale.ROOT);
    }

    String text() {
        Charset charset =
                contentType == null
                        ? StandardCharsets.UTF_8
                        : contentType.getCharset(StandardCharsets.UTF_8);
        return new String(body, charset);
    }

    /** Omits the body, which may be secret. */
    @Override
    public String toString() {
        return "HttpAnswer[" + status + ", " + body.length + " bytes]";
    }
}
