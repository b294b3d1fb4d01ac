package dev.orloj.runtime.transport;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Texts as values of HTTP headers (2026-07-28, Streamable HTTP, "Value Encoding"): as they are, or
 * in base64 between marks where that is not safe.
 */
public final class HeaderValue {

    private static final String PREFIX = "=?base64?";
    private static final String SUFFIX = "?=";

    private HeaderValue() {}

    public static String encode(String text) {
        return isSafe(text)
                ? text
                : PREFIX
                        + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
                        + SUFFIX;
    }

    private static boolean isSafe(String text) {
        boolean isPlain = text.chars().allMatch(c -> c == '\t' || (c >= ' ' && c <= '~'));
        boolean isPadded = !text.equals(text.strip());
        boolean looksEncoded = text.startsWith(PREFIX) && text.endsWith(SUFFIX);
        return isPlain && !isPadded && !looksEncoded;
    }
}
