package dev.orloj.cli.testing;

import dev.orloj.api.backup.BackupHeader;
import dev.orloj.api.backup.BackupWriter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** A backup of one row. */
public final class SmallBackup {

    private SmallBackup() {}

    public static byte[] bytes() {
        BackupHeader header =
                new BackupHeader(
                        "0.1.0",
                        10,
                        Instant.parse("2026-01-01T00:00:00Z"),
                        List.of("0123456789abcdef"),
                        4711,
                        List.of(new BackupHeader.Table("resource", List.of("kind", "name"))));
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            BackupWriter writer = new BackupWriter(out, header);
            writer.table(
                    "resource", to -> to.write("tools\tone\n".getBytes(StandardCharsets.UTF_8)));
            writer.finish();
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a file with it, in the folder that the build empties. */
    public static String file() {
        Path file = Path.of("target", "small.backup");
        try {
            if (!Files.exists(file)) {
                Files.write(file, bytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file.toString();
    }
}
