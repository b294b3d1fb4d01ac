package dev.orloj.server.store.table;

import dev.orloj.api.signature.Sha256;
import dev.orloj.server.security.SealedContent;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** A key of AES-256-GCM with the id by which encrypted values name it. Immutable. */
public final class DataKey {

    private static final int BYTES = 32;
    private static final int ID_BYTES = 8;

    private final SecretKeySpec key;
    private final String id;
    private final SealedContent content;

    private DataKey(byte[] key) {
        if (key.length != BYTES) {
            throw new IllegalArgumentException(
                    "The encryption key has %d bytes, %d are needed: make one with \"openssl rand -base64 %d\""
                            .formatted(key.length, BYTES, BYTES));
        }
        this.key = new SecretKeySpec(key, "AES");
        this.id = idOf(key);
        this.content = new SealedContent(this.key);
    }

    /** Returns a new key. */
    public static DataKey random() {
        byte[] fresh = new byte[BYTES];
        new SecureRandom().nextBytes(fresh);
        return new DataKey(fresh);
    }

    /** Uses a key of 32 bytes. */
    public static DataKey of(byte[] bytes) {
        return new DataKey(bytes);
    }

    /** Uses a key of 32 bytes, given in base64. */
    public static DataKey fromBase64(String text) {
        try {
            return new DataKey(Base64.getDecoder().decode(text.strip()));
        } catch (IllegalArgumentException e) {
            // The decoder's own message would quote a part of the key.
            throw new IllegalArgumentException(
                    "The encryption key is not %d bytes in base64: make one with \"openssl rand -base64 %d\""
                            .formatted(BYTES, BYTES));
        }
    }

    private static String idOf(byte[] key) {
        return HexFormat.of().formatHex(Sha256.digest(key), 0, ID_BYTES);
    }

    /** Returns a digest of the key, which reveals nothing of it. */
    public String id() {
        return id;
    }

    /** Returns the key itself. */
    public byte[] bytes() {
        return key.getEncoded();
    }

    public String base64() {
        return Base64.getEncoder().encodeToString(bytes());
    }

    /** Encrypts content for a use, which {@link #open} must name too. */
    public byte[] seal(byte[] plain, String use) {
        return content.seal(plain, use.getBytes(StandardCharsets.UTF_8));
    }

    /** Opens what was sealed with this key for this use; empty for everything else. */
    public Optional<byte[]> open(byte[] sealed, String use) {
        return content.open(sealed, use.getBytes(StandardCharsets.UTF_8));
    }

    /** Derives another key, which does not reveal this one. */
    SecretKey derive(String purpose, String algorithm) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveKey(
                            algorithm,
                            HKDFParameterSpec.ofExtract()
                                    .addIKM(key)
                                    .thenExpand(purpose.getBytes(StandardCharsets.UTF_8), BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HKDF failed", e);
        }
    }

    @Override
    public String toString() {
        return "DataKey[" + id + "]";
    }
}
