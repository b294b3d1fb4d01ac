package dev.orloj.server.security;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;

import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * HMAC-SHA-256 (RFC 2104) with one key: nobody without the key can make, or find out by trying, the
 * code of a message. Thread-safe, and without a lock.
 */
public final class Hmac {

    /** What a key is to be made for. */
    public static final String ALGORITHM = "HmacSHA256";

    /** Ready for a message and never given one: a copy is quicker to come by than a new one. */
    private final Mac prototype;

    /**
     * @throws IllegalArgumentException when the key is none for this
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

    /** Whether a code is that of a message; takes equally long for every wrong one. */
    public boolean matches(byte[] message, byte[] code) {
        return MessageDigest.isEqual(code, of(message));
    }
}
