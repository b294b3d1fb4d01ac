package dev.orloj.api.signature;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests of SHA-256. Thread-safe. */
public final class Sha256 {

    /** A copy of it takes a tenth of the time of a look-up among the security providers. */
    private static final MessageDigest EMPTY = find();

    private Sha256() {}

    private static MessageDigest find() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) { // every JDK has it
            throw new IllegalStateException(e);
        }
    }

    /** Returns a digest of nothing yet, for content that comes in parts. */
    public static MessageDigest begin() {
        try {
            return (MessageDigest) EMPTY.clone();
        } catch (CloneNotSupportedException e) { // such as a provider of hardware
            return find();
        }
    }

    public static byte[] digest(byte[] content) {
        return begin().digest(content);
    }

    /** Returns the digest of a text in UTF-8. */
    public static byte[] digest(String text) {
        return digest(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the digest in lower-case hexadecimal digits. */
    public static String hex(byte[] content) {
        return HexFormat.of().formatHex(digest(content));
    }

    /** Returns the digest of a text in UTF-8, in lower-case hexadecimal digits. */
    public static String hex(String text) {
        return HexFormat.of().formatHex(digest(text));
    }
}
