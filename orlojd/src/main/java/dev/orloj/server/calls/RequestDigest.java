package dev.orloj.server.calls;

import dev.orloj.server.security.Hmac;

import java.util.HexFormat;

import javax.crypto.SecretKey;

/**
 * Compares requests without storing them. All replicas compute the same digest; without the key,
 * the digest cannot be used to guess a request. Thread-safe.
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
