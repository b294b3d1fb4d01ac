package dev.orloj.runtime.transport.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
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

    /**
     * The text that a value stands for, whether or not it had to be encoded.
     *
     * @throws IllegalArgumentException when it has characters that need encoding, or what is
     *     between the marks is malformed or no UTF-8
     */
    public static String decode(String value) {
        if (!isPlain(value)) {
            throw new IllegalArgumentException("there are characters that need encoding");
        }
        boolean isEncoded =
                looksEncoded(value) && value.length() >= PREFIX.length() + SUFFIX.length();
        return isEncoded
                ? ofBase64(value.substring(PREFIX.length(), value.length() - SUFFIX.length()))
                : value;
    }

    private static String ofBase64(String text) {
        if (text.length() % 4 != 0) { // the decoder would do without the padding
            throw new IllegalArgumentException("the base64 is not padded");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64.getDecoder().decode(text)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("what is in base64 is no UTF-8", e);
        }
    }

    private static boolean isSafe(String text) {
        boolean isPadded = !text.equals(text.strip());
        return isPlain(text) && !isPadded && !looksEncoded(text);
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\t' && (c < ' ' || c > '~')) {
                return false;
            }
        }
        return true;
    }

    private static boolean looksEncoded(String text) {
        return text.startsWith(PREFIX) && text.endsWith(SUFFIX);
    }
}
