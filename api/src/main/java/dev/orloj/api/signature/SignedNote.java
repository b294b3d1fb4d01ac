package dev.orloj.api.signature;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A text with an Ed25519 signature, in the form of C2SP signed-note: the text, an empty line, and a
 * line with the name of the key, a hash of it and the signature.
 *
 * @param text ends with a line end, and has no empty line
 * @param name of the key
 * @param keyHash of name and key, 4 bytes
 */
public record SignedNote(String text, String name, int keyHash, String signature) {

    private static final String MARK = "\u2014 ";
    private static final byte ED25519 = 1;
    private static final int SIGNATURE_BYTES = 64;

    /** Signs texts. */
    @FunctionalInterface
    public interface Signer {
        byte[] sign(byte[] content);
    }

    /** Signs a text. */
    public static SignedNote sign(String text, String name, Ed25519Key key, Signer signer) {
        byte[] signature = signer.sign(text.getBytes(StandardCharsets.UTF_8));
        return new SignedNote(
                text, name, hash(name, key), Base64.getEncoder().encodeToString(signature));
    }

    /** Reads a note with one signature; empty if the text is something else. */
    public static Optional<SignedNote> parse(String note) {
        int end = note.lastIndexOf("\n\n" + MARK);
        if (end < 0 || !note.endsWith("\n")) {
            return Optional.empty();
        }
        String text = note.substring(0, end + 1);
        String[] line = note.substring(end + 2 + MARK.length(), note.length() - 1).split(" ", -1);
        if (line.length != 2 || text.contains("\n\n")) {
            return Optional.empty();
        }
        try {
            byte[] value = Base64.getDecoder().decode(line[1]);
            if (value.length != Integer.BYTES + SIGNATURE_BYTES) {
                return Optional.empty();
            }
            byte[] signature = new byte[SIGNATURE_BYTES];
            ByteBuffer bytes = ByteBuffer.wrap(value);
            int hash = bytes.getInt();
            bytes.get(signature);
            return Optional.of(
                    new SignedNote(
                            text, line[0], hash, Base64.getEncoder().encodeToString(signature)));
        } catch (IllegalArgumentException e) { // no Base64
            return Optional.empty();
        }
    }

    /** Returns whether the signature is one of this key. */
    public boolean isSignedBy(Ed25519Key key) {
        return keyHash == hash(name, key)
                && key.verifies(
                        text.getBytes(StandardCharsets.UTF_8),
                        Base64.getDecoder().decode(signature));
    }

    /** Returns a key as programs for signed notes take it: name, hash and key. */
    public static String verifierKey(String name, Ed25519Key key) {
        return "%s+%s+%s"
                .formatted(
                        name,
                        HexFormat.of().toHexDigits(hash(name, key)),
                        Base64.getEncoder().encodeToString(typed(key)));
    }

    /** Reads a key that {@link #verifierKey} has written; empty if the text is something else. */
    public static Optional<Ed25519Key> parseVerifierKey(String text) {
        String[] parts = text.split("\\+", 3);
        try {
            byte[] typed = Base64.getDecoder().decode(parts.length == 3 ? parts[2] : "");
            if (typed.length < 2 || typed[0] != ED25519) {
                return Optional.empty();
            }
            byte[] bytes = new byte[typed.length - 1];
            System.arraycopy(typed, 1, bytes, 0, bytes.length);
            Ed25519Key key = Ed25519Key.of(bytes);
            return Optional.of(key).filter(read -> verifierKey(parts[0], read).equals(text));
        } catch (IllegalArgumentException e) { // no Base64, or another length
            return Optional.empty();
        }
    }

    private static byte[] typed(Ed25519Key key) {
        byte[] bytes = key.bytes().orElseThrow();
        return ByteBuffer.allocate(1 + bytes.length).put(ED25519).put(bytes).array();
    }

    private static int hash(String name, Ed25519Key key) {
        MessageDigest digest = Sha256.begin();
        digest.update((name + "\n").getBytes(StandardCharsets.UTF_8));
        return ByteBuffer.wrap(digest.digest(typed(key))).getInt();
    }

    /** Returns the note. */
    public String note() {
        byte[] value =
                ByteBuffer.allocate(Integer.BYTES + SIGNATURE_BYTES)
                        .putInt(keyHash)
                        .put(Base64.getDecoder().decode(signature))
                        .array();
        return text + "\n" + MARK + name + " " + Base64.getEncoder().encodeToString(value) + "\n";
    }
}
