package dev.orloj.server.calls;

import dev.orloj.server.security.Hmac;

import java.util.HexFormat;

import javax.crypto.SecretKey;

/**
 * Tells whether two requests are the same without keeping them. All replicas come to the same
 * digest, and nobody without the key can try out what a request may have been. Thread-safe.
 */
public final class RequestDigest {

    private final Hmac hmac;

    public RequestDigest(SecretKey key) {
        this.hmac = new Hmac(key);
    }

    String of(byte[] body) {
        return HexFormat.of().formatHex(hmac.of(body));
    }
}
