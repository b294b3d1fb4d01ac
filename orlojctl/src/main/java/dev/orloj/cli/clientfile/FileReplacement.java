package dev.orloj.cli.clientfile;

import dev.orloj.cli.output.FileErrors;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces a file atomically: a client that reads it sees either the old or the new content. Keeps
 * the permissions of the file, and the link if it is one.
 */
final class FileReplacement {

    private static final Set<PosixFilePermission> PRIVATE =
            PosixFilePermissions.fromString("rw-------");

    /** How each begins. */
    private static final String USER_TOKEN = "orlojt_";

    private FileReplacement() {}

    /**
     * Replaces the content.
     *
     * @param expected the content that it has now; empty when the file must not exist yet
     * @throws ClientFileException when it has changed, or cannot be written
     */
    static void replace(Path file, Optional<byte[]> expected, byte[] content) {
        try {
            Path real = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
            Path folder = real.getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Path fresh = real.resolveSibling(real.getFileName() + ".orlojctl");
            Files.deleteIfExists(fresh);
            createPrivate(fresh);
            try {
                Files.write(fresh, content);
                copyPermissions(real, fresh, hasToken(content));
                requireUnchanged(real, expected);
                Files.move(
                        fresh,
                        real,
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            throw new ClientFileException(
                    "%s cannot be written: %s".formatted(file, FileErrors.reason(e)));
        }
    }

    /** Creates an empty file that only its owner reads, where the system has permissions. */
    static void createPrivate(Path file) throws IOException {
        Files.createFile(file);
        if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(file, PRIVATE);
        }
    }

    /** Returns whether there is a token of a user in it, which no other user may read. */
    private static boolean hasToken(byte[] content) {
        return new String(content, StandardCharsets.ISO_8859_1).contains(USER_TOKEN);
    }

    private static void copyPermissions(Path from, Path to, boolean isPrivate) throws IOException {
        if (Files.exists(from) && Files.getFileStore(from).supportsFileAttributeView("posix")) {
            Set<PosixFilePermission> kept = Files.getPosixFilePermissions(from);
            if (isPrivate) {
                kept.retainAll(PRIVATE);
            }
            Files.setPosixFilePermissions(to, kept);
        }
    }

    private static void requireUnchanged(Path file, Optional<byte[]> expected) throws IOException {
        boolean isAsExpected =
                expected.isPresent()
                        ? Files.exists(file)
                                && Arrays.equals(Files.readAllBytes(file), expected.get())
                        : !Files.exists(file);
        if (!isAsExpected) {
            throw new ClientFileException(
                    "%s was changed meanwhile, perhaps by the client; nothing was written to it: try again"
                            .formatted(file));
        }
    }
}
