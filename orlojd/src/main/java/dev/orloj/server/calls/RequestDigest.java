package dev.orloj.server.calls;

import java.security.GeneralSecurityException;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * Tells whether two requests are the same without keeping them. All replicas come to the same
 * digest, and nobody without the key can try out what a request may have been. Thread-safe.
 */
public final class RequestDigest {

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKey key;

    public RequestDigest(SecretKey key) {
        this.key = key;
    }

    String of(byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " failed", e);
        }
    }
}
