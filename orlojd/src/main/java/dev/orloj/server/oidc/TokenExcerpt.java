package dev.orloj.server.oidc;

import org.jspecify.annotations.Nullable;

/** Bounds what a token brings to the log. */
final class TokenExcerpt {

    private static final int MAX = 200;

    private TokenExcerpt() {}

    static String of(@Nullable Object value) {
        String text = String.valueOf(value);
        return text.length() <= MAX ? text : text.substring(0, MAX) + "...";
    }
}
