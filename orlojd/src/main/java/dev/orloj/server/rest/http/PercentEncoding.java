package dev.orloj.server.rest.http;

import dev.orloj.api.ApiException;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Strictly decodes percent-encoded UTF-8. */
public final class PercentEncoding {

    private PercentEncoding() {}

    /**
     * @param place of the text, for the error
     * @throws ApiException (BadRequest) when it is not percent-encoded UTF-8, or contains a NUL
     */
    public static String decode(String place, String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '%') {
                bytes.write(octet(place, text, i));
                i += 3;
            } else {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
                i++;
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw broken(place, text, "encode it as UTF-8");
        }
    }

    private static int octet(String place, String text, int at) {
        int high = at + 2 < text.length() ? Character.digit(text.charAt(at + 1), 16) : -1;
        int low = at + 2 < text.length() ? Character.digit(text.charAt(at + 2), 16) : -1;
        if (high < 0 || low < 0) {
            throw broken(place, text, "write % as %25");
        }
        if (high == 0 && low == 0) {
            throw broken(place, text, "it may not contain the character NUL");
        }
        return high * 16 + low;
    }

    private static ApiException broken(String place, String text, String remedy) {
        return ApiException.badRequest(
                "%s: \"%s\" is not percent-encoded text; %s".formatted(place, text, remedy));
    }
}
