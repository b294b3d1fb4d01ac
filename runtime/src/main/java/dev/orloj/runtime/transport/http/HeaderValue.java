package dev.orloj.runtime.transport.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Encodes text as the value of an HTTP header (2026-07-28, Streamable HTTP, "Value Encoding"):
 * unchanged where that is safe, else in base64 between markers.
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
     * Returns the text of a value, encoded or not.
     *
     * @throws IllegalArgumentException when the value has characters that require encoding, or the
     *     text between the markers is malformed or not UTF-8
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
        if (text.length() % 4 != 0) { // the decoder accepts base64 without padding
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
