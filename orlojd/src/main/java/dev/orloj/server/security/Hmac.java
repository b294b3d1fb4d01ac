package dev.orloj.server.security;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;

import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * Computes HMAC-SHA-256 (RFC 2104) with one key. Without the key, the code of a message can neither
 * be created nor guessed. Thread-safe and lock-free.
 */
public final class Hmac {

    /** The algorithm for which a key must be created. */
    public static final String ALGORITHM = "HmacSHA256";

    /** Initialized and never fed a message: cloning it is faster than creating a new one. */
    private final Mac prototype;

    /**
     * @throws IllegalArgumentException when the key is unsuitable
     */
    public Hmac(SecretKey key) {
        try {
            prototype = Mac.getInstance(ALGORITHM);
            prototype.init(key);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the key is of no use for " + ALGORITHM, e);
        }
    }

    public byte[] of(byte[] message) {
        try {
            return ((Mac) prototype.clone()).doFinal(message);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(
                    "%s of the provider \"%s\" cannot be copied: put SunJCE before it in the list of security providers"
                            .formatted(ALGORITHM, prototype.getProvider().getName()),
                    e);
        }
    }

    /** Verifies the code of a message in constant time. */
    public boolean matches(byte[] message, byte[] code) {
        return MessageDigest.isEqual(code, of(message));
    }
}
