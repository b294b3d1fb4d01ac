package dev.orloj.api.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A small file may unpack to any size, and is read up to a limit only. */
@DisplayName("22, item 1: limits of a backup")
class BackupLimitsTest {

    private static final int MEBIBYTE = 1 << 20;

    private static final BackupHeader HEADER =
            new BackupHeader(
                    "0.1.0",
                    8,
                    Instant.parse("2026-11-25T12:00:00Z"),
                    List.of("0123456789abcdef"),
                    4711,
                    List.of(
                            new BackupHeader.Table("resource", List.of("kind", "name")),
                            new BackupHeader.Table("audit_event", List.of("event"))));

    /** A file with a few rows in one table, and these in the other one. */
    private static byte[] backup(BackupWriter.Content events) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BackupWriter writer = new BackupWriter(out, HEADER);
        writer.table(
                "resource",
                to -> to.write("tools\ta\ntools\tb\n".getBytes(StandardCharsets.UTF_8)));
        writer.table("audit_event", events);
        writer.finish();
        return out.toByteArray();
    }

    /** Rows of equal length, which a mebibyte has a whole number of. */
    private static void write(OutputStream to, int mebibytes, int rowLength) throws IOException {
        byte[] block = new byte[MEBIBYTE];
        for (int i = 0; i < block.length; i++) {
            block[i] = (byte) ((i + 1) % rowLength == 0 ? '\n' : 'x');
        }
        for (int i = 0; i < mebibytes; i++) {
            to.write(block);
        }
    }

    /** Reads all tables, or passes over their rows. */
    private static BackupSize read(byte[] file, BackupLimits limits, boolean isReadingRows)
            throws IOException {
        BackupReader reader = new BackupReader(new ByteArrayInputStream(file), limits);
        for (Optional<BackupReader.Entry> entry = reader.next();
                entry.isPresent();
                entry = reader.next()) {
            if (isReadingRows) {
                entry.get().rows().transferTo(OutputStream.nullOutputStream());
            }
        }
        return reader.size();
    }

    private static void assertRefused(byte[] file, BackupLimits limits, String... why) {
        for (boolean isReadingRows : new boolean[] {true, false}) {
            assertThatThrownBy(() -> read(file, limits, isReadingRows))
                    .isInstanceOf(BackupException.class)
                    .hasMessageContainingAll(why)
                    .hasMessageContaining("if you trust the file");
        }
    }

    @Test
    void smallFileDoesNotUnpackToMoreThanTheLimit() throws IOException {
        byte[] file = backup(to -> write(to, 256, 1024));
        assertThat(file).hasSizeLessThan(2 * MEBIBYTE);

        assertRefused(
                file,
                new BackupLimits(10 * MEBIBYTE, Long.MAX_VALUE, Long.MAX_VALUE),
                "unpacks to more than 10485760 bytes (limit reached in \"audit_event\")",
                "--max-size (maxBytes)");
    }

    @Test
    void readingEndsAtTheLimit() throws IOException {
        byte[] file = backup(to -> write(to, 256, 1024));
        BackupReader reader =
                new BackupReader(
                        new ByteArrayInputStream(file),
                        new BackupLimits(10 * MEBIBYTE, Long.MAX_VALUE, Long.MAX_VALUE));
        reader.next();
        BackupReader.Entry events = reader.next().orElseThrow();

        assertThatThrownBy(() -> events.rows().readAllBytes()).isInstanceOf(BackupException.class);
        assertThat(reader.size().bytes()).isBetween(10L * MEBIBYTE, 11L * MEBIBYTE);
    }

    @Test
    void rowsAreLimitedInNumber() throws IOException {
        assertRefused(
                backup(to -> write(to, 1, 4)),
                new BackupLimits(Long.MAX_VALUE, 1_000, Long.MAX_VALUE),
                "more than 1000 rows (limit reached in \"audit_event\")",
                "--max-rows (maxRows)");
    }

    @Test
    void rowsAreLimitedInLengthByDefault() throws IOException {
        byte[] file =
                backup(
                        to -> {
                            write(to, 1, 1 << 18);
                            write(to, 65, Integer.MAX_VALUE);
                        });

        assertRefused(
                file,
                BackupLimits.DEFAULTS,
                "row 5 of \"audit_event\" has more than 67108864 bytes",
                "--max-row-size (maxRowBytes)");
        assertThat(read(file, BackupLimits.NONE, true).restoreOptions())
                .isEqualTo("--max-row-size " + 65 * MEBIBYTE);
    }

    @Test
    void sizeOfABackupIsWhatItUnpacksTo() throws IOException {
        BackupSize size = read(backup(to -> write(to, 1, 1024)), BackupLimits.DEFAULTS, true);

        assertThat(size).isEqualTo(new BackupSize(16 + MEBIBYTE, 2 + 1024, 1024));
        assertThat(size.restoreOptions()).isEmpty();
    }

    @Test
    void backupThatIsExactlyWithinTheLimitsIsRead() throws IOException {
        byte[] file = backup(to -> write(to, 1, 1024));
        BackupSize size = read(file, BackupLimits.DEFAULTS, true);

        BackupLimits exact = new BackupLimits(size.bytes(), size.rows(), size.longestRow());
        assertThat(read(file, exact, true)).isEqualTo(size);
    }

    @Test
    void sizeBeyondTheDefaultsNamesTheOptionsOfItsRestore() {
        assertThat(new BackupSize(1L << 40, 1_000_000_000, 1 << 28).restoreOptions())
                .isEqualTo(
                        "--max-size 1099511627776 --max-rows 1000000000 --max-row-size 268435456");
    }

    @Test
    void checksumsAndDirectoryAreLimitedToo() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(BackupWriter.HEADER));
            zip.write(HEADER.toJson());
            for (BackupHeader.Table table : HEADER.tables()) {
                zip.putNextEntry(new ZipEntry(BackupWriter.TABLES + table.name()));
            }
            zip.putNextEntry(new ZipEntry(BackupWriter.CHECKSUMS));
            write(zip, 256, Integer.MAX_VALUE);
        }
        assertThatThrownBy(() -> read(out.toByteArray(), BackupLimits.DEFAULTS, true))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("\"checksums.json\" is too long");

        ByteArrayOutputStream longer = new ByteArrayOutputStream();
        longer.write(backup(to -> write(to, 1, 1024)));
        write(longer, 1, 1024);
        assertThatThrownBy(() -> read(longer.toByteArray(), BackupLimits.DEFAULTS, true))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("goes on after its end");
    }

    @Test
    void revisionThatNoDatabaseReachesIsRefused() {
        byte[] odd =
                new String(HEADER.toJson(), StandardCharsets.UTF_8)
                        .replace("4711", "9223372036854775807")
                        .getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> BackupHeader.parse(odd))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining(
                        "its revision is 9223372036854775807, and the largest is 9007199254740992");
    }
}
