package dev.orloj.server.certificate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and folders that only their owner may read: never open to others, never half written. */
public final class PrivateFiles {

    private static final Set<PosixFilePermission> OWNER =
            PosixFilePermissions.fromString("rwx------");

    private PrivateFiles() {}

    public static void write(Path file, String content) throws IOException {
        Path written = Files.createTempFile(file.getParent(), ".new-", "", ownerOnly());
        try {
            try (FileChannel channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(
                    written,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | UncheckedIOException e) {
            Files.deleteIfExists(written);
            throw e;
        }
    }

    /** Creates a folder if it is missing, and denies others access to it in any case. */
    public static void createDirectories(Path folder) throws IOException {
        Files.createDirectories(folder);
        close(folder);
    }

    /** Denies others access to a file or folder, which an earlier orlojd may have left open. */
    public static void close(Path path) throws IOException {
        try {
            Set<PosixFilePermission> kept = Files.getPosixFilePermissions(path);
            if (kept.retainAll(OWNER)) {
                Files.setPosixFilePermissions(path, kept);
            }
        } catch (UnsupportedOperationException e) {
            // The file system has no such permissions.
        } catch (FileSystemException e) {
            // It belongs to another user, as the data directory does then; its check warns.
        }
    }

    /** Files that are created by name get the same mode as temporary ones. */
    private static FileAttribute<?>[] ownerOnly() {
        Set<String> views = FileSystems.getDefault().supportedFileAttributeViews();
        return views.contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
