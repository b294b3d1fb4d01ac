package dev.orloj.server.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Checks the free disk space of a directory. */
final class FreeSpace {

    private static final long MEBIBYTE = 1024 * 1024;

    private FreeSpace() {}

    /**
     * Checks that there is enough free space before a large write.
     *
     * @param purpose what needs the space, as the subject of a sentence
     * @throws EmbeddedPostgresException when there is less
     */
    static void require(Path directory, int mebibytes, String purpose) throws IOException {
        require(directory, mebibytes, purpose, usable(directory));
    }

    static void require(Path directory, int mebibytes, String purpose, long usableBytes) {
        if (usableBytes < mebibytes * MEBIBYTE) {
            throw new EmbeddedPostgresException(
                    "%s needs %d MiB in \"%s\" and %d MiB are free: make room, choose another --data-dir, or give --database-url"
                            .formatted(purpose, mebibytes, directory, usableBytes / MEBIBYTE));
        }
    }

    /**
     * Returns an exception that names the full disk when that is the cause; otherwise the failure
     * itself.
     */
    static EmbeddedPostgresException explain(EmbeddedPostgresException failure, Path directory) {
        boolean isFull =
                Stream.of("No space left on device", "Disk quota exceeded")
                        .anyMatch(String.valueOf(failure.getMessage())::contains);
        if (!isFull) {
            return failure;
        }
        return new EmbeddedPostgresException(
                "the disk of \"%s\" is full%s: make room, choose another --data-dir, or give --database-url"
                        .formatted(directory, free(directory)),
                failure);
    }

    private static String free(Path directory) {
        try {
            return " (" + usable(directory) / MEBIBYTE + " MiB are free)";
        } catch (IOException e) {
            return "";
        }
    }

    private static long usable(Path directory) throws IOException {
        return Files.getFileStore(directory).getUsableSpace();
    }
}
