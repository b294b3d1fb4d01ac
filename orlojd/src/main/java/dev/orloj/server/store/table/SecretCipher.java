package dev.orloj.server.store.table;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

import javax.crypto.SecretKey;

/**
 * Encrypts values with AES-256-GCM. An encrypted value names its key and is bound to its place, so
 * that a person with access to the database cannot move it elsewhere to have it shown. Thread-safe.
 */
public final class SecretCipher {

    /** The start of every encrypted value; the id of its key and its content follow. */
    public static final String FORMAT = "orloj:v1";

    private static final int PARTS = 4;

    private final SecretKeys keys;

    public SecretCipher(SecretKeys keys) {
        this.keys = keys;
    }

    /** Uses one key of 32 bytes, given in base64. */
    public static SecretCipher fromBase64(String text) {
        return new SecretCipher(SecretKeys.of(DataKey.fromBase64(text)));
    }

    /**
     * Derives another key, which all replicas of a database can derive, and which does not reveal
     * what it is derived from. It stays the same when keys are rotated.
     */
    public SecretKey derive(String purpose, String algorithm) {
        return keys.derivation().derive(purpose, algorithm);
    }

    /**
     * Requires that derived keys are those of the database, for what would be wrong with others.
     *
     * @throws ApiException (ServiceUnavailable) when it is lost what they are derived from
     */
    public void requireDerivation() {
        if (!keys.isComplete()) {
            throw new ApiException(ErrorReason.SERVICE_UNAVAILABLE, keys.whyMissing(""));
        }
    }

    /**
     * Requires that values can be encrypted too, for what needs that later.
     *
     * @throws ApiException (ServiceUnavailable) when they cannot
     */
    public void requireKeys() {
        requireDerivation();
        keys.current();
    }

    /**
     * Encrypts; the result is different each time.
     *
     * @param place what the value belongs to
     * @throws ApiException (ServiceUnavailable) when the key is lost
     */
    public String seal(String plain, String place) {
        DataKey key = keys.current();
        byte[] sealed = key.seal(plain.getBytes(StandardCharsets.UTF_8), place);
        return String.join(":", FORMAT, key.id(), Base64.getEncoder().encodeToString(sealed));
    }

    /**
     * Decrypts what was sealed for the same place.
     *
     * @throws ApiException (InternalError) when its key is lost, or when it was sealed for another
     *     place
     */
    public String open(String sealed, String place) {
        String[] parts = sealed.split(":", -1);
        if (!isSealed(sealed, parts)) {
            throw failure(place, "it is not an encrypted value of format " + FORMAT);
        }
        DataKey key =
                keys.find(parts[2]).orElseThrow(() -> failure(place, keys.whyMissing(parts[2])));
        return new String(
                content(key, parts[3], place)
                        .orElseThrow(
                                () ->
                                        failure(
                                                place,
                                                "it was changed, or belongs to another resource"
                                                        + " or field")),
                StandardCharsets.UTF_8);
    }

    /**
     * Encrypts a value again, with the current key.
     *
     * @return empty when that is its key already, or when the key that it names is lost
     */
    public Optional<String> reseal(String sealed, String place) {
        String[] parts = sealed.split(":", -1);
        return !isSealed(sealed, parts)
                        || parts[2].equals(keys.current().id())
                        || keys.find(parts[2]).isEmpty()
                ? Optional.empty()
                : Optional.of(seal(open(sealed, place), place));
    }

    /** Returns the id of the key that an encrypted value needs, when that key is lost. */
    public Optional<String> missingKey(String sealed) {
        String[] parts = sealed.split(":", -1);
        return isSealed(sealed, parts) && keys.find(parts[2]).isEmpty()
                ? Optional.of(parts[2])
                : Optional.empty();
    }

    private static boolean isSealed(String text, String[] parts) {
        return parts.length == PARTS && text.startsWith(FORMAT + ":");
    }

    private static Optional<byte[]> content(DataKey key, String base64, String place) {
        try {
            return key.open(Base64.getDecoder().decode(base64), place);
        } catch (IllegalArgumentException e) { // no Base64
            return Optional.empty();
        }
    }

    private static ApiException failure(String place, String why) {
        return new ApiException(
                ErrorReason.INTERNAL_ERROR,
                "The stored value of %s cannot be decrypted: %s".formatted(place, why));
    }

    @Override
    public String toString() {
        return "SecretCipher";
    }
}
