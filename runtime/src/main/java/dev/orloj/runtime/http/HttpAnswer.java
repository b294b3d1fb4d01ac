package dev.orloj.runtime.http;

import org.apache.hc.core5.http.ContentType;
import org.jspecify.annotations.Nullable;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * What an endpoint answered.
 *
 * @param phrase after the status, such as {@code Not Found}
 * @param contentType null when it says none
 * @param body all of it; of an answer that is no success, the beginning
 * @param location where it redirects to
 * @param retryAfter when it may be asked again, in its own words
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

    /** In lower case; empty when it says none. */
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

    /** Answers may be secret. */
    @Override
    public String toString() {
        return "HttpAnswer[" + status + ", " + body.length + " bytes]";
    }
}
