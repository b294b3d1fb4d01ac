package dev.orloj.cli.clientfile;

import dev.orloj.cli.output.FileErrors;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Changes files of clients, and keeps their originals until they are restored. */
public final class Backups {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSS'Z'").withZone(ZoneOffset.UTC);

    /** The most backups of one millisecond. */
    private static final int MAX_SAME_TIME = 1_000;

    private final Path folder;

    public Backups(Path folder) {
        this.folder = folder;
    }

    /**
     * Writes a changed text into a file, after its original is in a backup.
     *
     * @param exists whether the file was there when it was read; otherwise it is created
     * @param moved what the change did
     * @return the folder of the backup
     * @throws ClientFileException when the file has changed since it was read, or cannot be written
     */
    public Path change(
            ClientFile file, boolean exists, String changed, List<Moved> moved, Instant now) {
        Path path = file.path().orElseThrow();
        Optional<byte[]> original =
                exists
                        ? Optional.of(file.text().getBytes(StandardCharsets.UTF_8))
                        : Optional.empty();
        byte[] content = changed.getBytes(StandardCharsets.UTF_8);
        Path backup = null;
        try {
            backup = createFolder(now);
            Backup.write(backup, path, original, content, moved);
        } catch (IOException e) {
            ClientFileException failure =
                    new ClientFileException(
                            "the backup of %s cannot be written below %s: %s; the file is as before"
                                    .formatted(path, folder, FileErrors.reason(e)));
            if (backup != null) {
                forget(backup, failure); // half of a file with secrets is of no use
            }
            throw failure;
        }
        try {
            FileReplacement.replace(path, original, content);
        } catch (ClientFileException e) {
            forget(backup, e);
            throw e;
        }
        return backup;
    }

    private static void forget(Path backup, ClientFileException cause) {
        try {
            Backup.forget(backup);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private Path createFolder(Instant now) throws IOException {
        Files.createDirectories(folder);
        if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
        for (int i = 0; i < MAX_SAME_TIME; i++) {
            try {
                return Files.createDirectory(
                        folder.resolve("%s-%03d".formatted(TIME.format(now), i)));
            } catch (FileAlreadyExistsException e) {
                // The next number is free.
            }
        }
        throw new IOException("too many backups at the same time");
    }

    /** Returns the backups, the latest first. */
    public List<Backup> all() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(folder)) {
            return folders.sorted().toList().reversed().stream()
                    .flatMap(f -> Backup.read(f).stream())
                    .toList();
        } catch (IOException e) {
            throw new ClientFileException(
                    "cannot read \"%s\": %s".formatted(folder, FileErrors.reason(e)));
        }
    }
}
