package dev.orloj.server.store.key;

import dev.orloj.server.store.table.DataKey;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * A file with keys in base64, one a line: first the one for new wraps, then earlier ones.
 *
 * @param isOwn whether orlojd makes the file when there is none
 */
record KeyFile(Path path, boolean isOwn) implements KeySource {

    /** The name of the file in the data directory, and of the credential of systemd. */
    static final String NAME = "secret.key";

    private static final long MAX_BYTES = 4_096;

    /** A file of the operator, which has to be there. */
    static KeyFile configured(Path path) {
        return new KeyFile(path, false);
    }

    static KeyFile inDataDirectory(Path path) {
        return new KeyFile(path, true);
    }

    @Override
    public List<KeyEncryptionKey> load() throws IOException {
        if (isOwn && !Files.exists(path)) {
            return List.of();
        }
        if (Files.size(path) > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "The file has more than %d bytes".formatted(MAX_BYTES));
        }
        return KeyText.parse(Files.readString(path));
    }

    /** Only its owner may read it. */
    @Override
    public KeyEncryptionKey create() throws IOException {
        DataKey fresh = DataKey.random();
        Path partial = path.resolveSibling(path.getFileName() + ".creating");
        Files.deleteIfExists(partial);
        Files.createFile(
                partial,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(partial, fresh.base64() + "\n", StandardOpenOption.SYNC);
        Files.move(partial, path, StandardCopyOption.ATOMIC_MOVE);
        return new LocalKey(fresh);
    }

    @Override
    public List<Path> files() {
        return List.of(path);
    }

    @Override
    public String description() {
        return "\"" + path + "\"";
    }
}
