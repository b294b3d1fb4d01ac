package dev.orloj.server.store.table;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.server.security.SealedContent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts values with AES-256-GCM. An encrypted value names its key and is bound to its place, so
 * that a person with access to the database cannot move it elsewhere to have it shown. Immutable.
 */
public final class SecretCipher {

    private static final String FORMAT = "orloj:v1";
    private static final int KEY_BYTES = 32;
    private static final int KEY_ID_BYTES = 8;

    private final SecretKeySpec key;
    private final String keyId;
    private final SealedContent values;

    private SecretCipher(byte[] key) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException(
                    "The encryption key has %d bytes, %d are needed: make one with \"openssl rand -base64 %d\""
                            .formatted(key.length, KEY_BYTES, KEY_BYTES));
        }
        this.key = new SecretKeySpec(key, "AES");
        this.keyId = idOf(key);
        this.values = new SealedContent(this.key);
    }

    /** Uses a key of 32 bytes, given in base64. */
    public static SecretCipher fromBase64(String text) {
        try {
            return new SecretCipher(Base64.getDecoder().decode(text.strip()));
        } catch (IllegalArgumentException e) {
            // The decoder's own message would quote a part of the key.
            throw new IllegalArgumentException(
                    "The encryption key is not %d bytes in base64: make one with \"openssl rand -base64 %d\""
                            .formatted(KEY_BYTES, KEY_BYTES));
        }
    }

    /** Uses the key in a file, in base64. */
    public static SecretCipher fromFile(Path file) throws IOException {
        return fromBase64(Files.readString(file));
    }

    /** Uses the key in a file that only its owner may read, made on the first call. */
    public static SecretCipher fromOrCreateFile(Path file) throws IOException {
        if (!Files.exists(file)) {
            byte[] fresh = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(fresh);
            Path partial = file.resolveSibling(file.getFileName() + ".creating");
            Files.deleteIfExists(partial);
            Files.createFile(
                    partial,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
            Files.writeString(
                    partial,
                    Base64.getEncoder().encodeToString(fresh) + "\n",
                    StandardOpenOption.SYNC);
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return fromFile(file);
    }

    /**
     * Derives another key, which all that have this one can derive, and which does not reveal this
     * one.
     */
    public SecretKey derive(String purpose, String algorithm) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveKey(
                            algorithm,
                            HKDFParameterSpec.ofExtract()
                                    .addIKM(key)
                                    .thenExpand(
                                            purpose.getBytes(StandardCharsets.UTF_8), KEY_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HKDF failed", e);
        }
    }

    private static String idOf(byte[] key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key);
            return HexFormat.of().formatHex(digest, 0, KEY_ID_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Encrypts; the result is different each time.
     *
     * @param place what the value belongs to
     */
    public String seal(String plain, String place) {
        byte[] sealed = values.seal(utf8(plain), utf8(place));
        return String.join(":", FORMAT, keyId, Base64.getEncoder().encodeToString(sealed));
    }

    /**
     * Decrypts what was sealed for the same place.
     *
     * @throws ApiException (InternalError) when it was sealed with another key or for another place
     */
    public String open(String sealed, String place) {
        String[] parts = sealed.split(":", -1);
        if (parts.length != 4 || !sealed.startsWith(FORMAT + ":")) {
            throw failure(place, "it is not an encrypted value of format " + FORMAT);
        }
        if (!parts[2].equals(keyId)) {
            throw failure(
                    place,
                    "it was encrypted with key \"%s\" and the key in use is \"%s\": start orlojd with the key of that id"
                            .formatted(parts[2], keyId));
        }
        return new String(
                content(parts[3], place)
                        .orElseThrow(
                                () ->
                                        failure(
                                                place,
                                                "it was changed, or belongs to another resource"
                                                        + " or field")),
                StandardCharsets.UTF_8);
    }

    private Optional<byte[]> content(String base64, String place) {
        try {
            return values.open(Base64.getDecoder().decode(base64), utf8(place));
        } catch (IllegalArgumentException e) { // no Base64
            return Optional.empty();
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ApiException failure(String place, String why) {
        return new ApiException(
                ErrorReason.INTERNAL_ERROR,
                "The stored value of %s cannot be decrypted: %s".formatted(place, why));
    }

    @Override
    public String toString() {
        return "SecretCipher[key " + keyId + "]";
    }
}
