package dev.orloj.runtime.code;

import dev.orloj.api.signature.Sha256;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The SHA-256 of files. A file that has not changed is read once: each session of a server would
 * read its program again. Thread-safe.
 */
final class FileDigest {

    /** The digest of a longer file is not known. */
    private static final long MAX_BYTES = 512L * 1024 * 1024;

    private static final int CHUNK = 64 * 1024;

    private static final int MAX_KNOWN = 1_000;
    private static final long SETTLED_MILLIS = 2_000;

    private static final ConcurrentMap<State, String> KNOWN = new ConcurrentHashMap<>();

    private FileDigest() {}

    /**
     * What differs once a file has another content: only the system sets the time of the last
     * change of an inode.
     */
    private record State(Map<String, Object> attributes) {

        static State of(Path file) throws IOException {
            return new State(Files.readAttributes(file, "unix:dev,ino,ctime,size"));
        }

        /** A change in the same tick of the file system's clock would have the same time. */
        boolean isSettled() {
            return attributes.get("ctime") instanceof FileTime changed
                    && System.currentTimeMillis() - changed.toMillis() > SETTLED_MILLIS;
        }
    }

    /** Returns the digest of a file; empty if it is too long or cannot be read. */
    static Optional<String> of(Path file) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MAX_BYTES) {
                return Optional.empty();
            }
            State before = State.of(file);
            String known = KNOWN.get(before);
            if (known != null) {
                return Optional.of(known);
            }
            String read = read(file);
            if (before.isSettled() && State.of(file).equals(before)) {
                if (KNOWN.size() >= MAX_KNOWN) {
                    KNOWN.clear();
                }
                KNOWN.put(before, read);
            }
            return Optional.of(read);
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty(); // as documented: not known
        }
    }

    private static String read(Path file) throws IOException {
        MessageDigest digest = Sha256.begin();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] chunk = new byte[CHUNK];
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                digest.update(chunk, 0, read);
            }
        }
        return text(digest);
    }

    static String text(MessageDigest digest) {
        return "sha256:" + HexFormat.of().formatHex(digest.digest());
    }
}
