package dev.orloj.server.security;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

import javax.crypto.SecretKey;

/**
 * Signs content that passes through other parties, which can read and cannot change it: {@code
 * CONTENT.HMAC}, both in URL-safe Base64. Thread-safe.
 */
public final class SignedContent {

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final Hmac hmac;

    public SignedContent(SecretKey key) {
        hmac = new Hmac(key);
    }

    public String sign(byte[] content) {
        byte[] text = ENCODER.encode(content);
        return new String(text, StandardCharsets.ISO_8859_1)
                + "."
                + ENCODER.encodeToString(hmac.of(text));
    }

    /** Returns content that was signed with this key; empty for everything else. */
    public Optional<byte[]> open(String signed) {
        int dot = signed.indexOf('.');
        if (dot < 0) {
            return Optional.empty();
        }
        byte[] text = signed.substring(0, dot).getBytes(StandardCharsets.ISO_8859_1);
        try {
            return hmac.matches(text, DECODER.decode(signed.substring(dot + 1)))
                    ? Optional.of(DECODER.decode(text))
                    : Optional.empty();
        } catch (IllegalArgumentException e) { // not Base64
            return Optional.empty();
        }
    }
}
