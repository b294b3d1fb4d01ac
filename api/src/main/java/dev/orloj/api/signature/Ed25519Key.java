package dev.orloj.api.signature;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * A public Ed25519 key.
 *
 * @param text a SubjectPublicKeyInfo (RFC 8410), in base64
 */
public record Ed25519Key(String text) {

    public static final String ALGORITHM = "Ed25519";

    /** What precedes the 32 bytes of a key in its SubjectPublicKeyInfo. */
    private static final byte[] PREFIX = {
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00
    };

    private static final int BYTES = 32;

    /**
     * @param bytes the 32 bytes of RFC 8032
     */
    public static Ed25519Key of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("An Ed25519 key has 32 bytes, not " + bytes.length);
        }
        byte[] encoded = Arrays.copyOf(PREFIX, PREFIX.length + BYTES);
        System.arraycopy(bytes, 0, encoded, PREFIX.length, BYTES);
        return new Ed25519Key(Base64.getEncoder().encodeToString(encoded));
    }

    /** Returns the 32 bytes of RFC 8032; empty if the text is no key. */
    public Optional<byte[]> bytes() {
        try {
            byte[] encoded = Base64.getDecoder().decode(text);
            boolean isKey =
                    encoded.length == PREFIX.length + BYTES
                            && Arrays.equals(PREFIX, 0, PREFIX.length, encoded, 0, PREFIX.length);
            return isKey
                    ? Optional.of(Arrays.copyOfRange(encoded, PREFIX.length, encoded.length))
                    : Optional.empty();
        } catch (IllegalArgumentException e) { // no Base64
            return Optional.empty();
        }
    }

    /** Returns whether the signature is one of this key. */
    public boolean verifies(byte[] content, byte[] signature) {
        try {
            Signature verification = Signature.getInstance(ALGORITHM);
            verification.initVerify(
                    KeyFactory.getInstance(ALGORITHM)
                            .generatePublic(
                                    new X509EncodedKeySpec(Base64.getDecoder().decode(text))));
            verification.update(content);
            return verification.verify(signature);
        } catch (GeneralSecurityException | IllegalArgumentException e) { // no key, no Base64
            return false;
        }
    }
}
