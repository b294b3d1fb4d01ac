package dev.orloj.server.security;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;

import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Seals content that passes through other parties, which can neither read nor change it, nor use it
 * for another purpose: AES-GCM, as nonce, ciphertext and tag. Thread-safe.
 */
public final class SealedContent {

    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKey key;
    private final SecureRandom random = new SecureRandom();

    /**
     * @param key an AES key
     */
    public SealedContent(SecretKey key) {
        this.key = key;
    }

    /**
     * Seals content with a fresh nonce.
     *
     * @param use the purpose, which {@link #open} must name too
     */
    public byte[] seal(byte[] content, byte[] use) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, use).doFinal(content);
            return ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM failed", e);
        }
    }

    /** Opens content that was sealed with this key for this use; empty for everything else. */
    public Optional<byte[]> open(byte[] sealed, byte[] use) {
        if (sealed.length <= NONCE_BYTES) {
            return Optional.empty();
        }
        byte[] nonce = Arrays.copyOf(sealed, NONCE_BYTES);
        try {
            return Optional.of(
                    cipher(Cipher.DECRYPT_MODE, nonce, use)
                            .doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES));
        } catch (AEADBadTagException e) { // includes content that is too short for a tag
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM failed", e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, byte[] use) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(use);
        return cipher;
    }
}
