package dev.orloj.runtime.code;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** The SHA-256 of files. */
final class FileDigest {

    /** The digest of a longer file is not known. */
    private static final long MAX_BYTES = 512L * 1024 * 1024;

    private static final int CHUNK = 64 * 1024;

    private FileDigest() {}

    /** Returns the digest of a file; empty if it is too long or cannot be read. */
    static Optional<String> of(Path file) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MAX_BYTES) {
                return Optional.empty();
            }
            MessageDigest digest = sha256();
            try (InputStream in = Files.newInputStream(file)) {
                byte[] chunk = new byte[CHUNK];
                for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                    digest.update(chunk, 0, read);
                }
            }
            return Optional.of(text(digest));
        } catch (IOException e) {
            return Optional.empty(); // as documented: not known
        }
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java has SHA-256", e);
        }
    }

    static String text(MessageDigest digest) {
        return "sha256:" + HexFormat.of().formatHex(digest.digest());
    }
}
