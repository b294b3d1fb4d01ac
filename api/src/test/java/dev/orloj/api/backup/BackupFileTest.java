package dev.orloj.api.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is written is read back, and no damage and no cut goes unnoticed. */
@DisplayName("22, item 1: the file of a backup")
class BackupFileTest {

    private static final BackupHeader HEADER =
            new BackupHeader(
                    "0.1.0",
                    8,
                    Instant.parse("2026-11-25T12:00:00Z"),
                    List.of("0123456789abcdef"),
                    4711,
                    List.of(
                            new BackupHeader.Table("resource", List.of("kind", "name")),
                            new BackupHeader.Table("user_token", List.of("name"))));

    private static byte[] backup() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BackupWriter writer = new BackupWriter(out, HEADER);
        writer.table(
                "resource",
                to -> to.write("tools\tone\ntools\ttwo\n".getBytes(StandardCharsets.UTF_8)));
        writer.table("user_token", to -> to.write('t'));
        writer.finish();
        return out.toByteArray();
    }

    private static Map<String, String> read(byte[] file) throws IOException {
        BackupReader reader = new BackupReader(new ByteArrayInputStream(file));
        Map<String, String> tables = new LinkedHashMap<>();
        for (Optional<BackupReader.Entry> entry = reader.next();
                entry.isPresent();
                entry = reader.next()) {
            tables.put(
                    entry.get().table().name(),
                    new String(entry.get().rows().readAllBytes(), StandardCharsets.UTF_8));
        }
        return tables;
    }

    @Test
    void readsWhatWasWritten() throws IOException {
        assertThat(read(backup()))
                .containsExactly(
                        Map.entry("resource", "tools\tone\ntools\ttwo\n"),
                        Map.entry("user_token", "t"));
        assertThat(new BackupReader(new ByteArrayInputStream(backup())).header()).isEqualTo(HEADER);
    }

    @Test
    void rowsThatAreNotReadAreVerifiedAllTheSame() throws IOException {
        BackupReader reader = new BackupReader(new ByteArrayInputStream(backup()));

        assertThat(reader.next()).isPresent();
        assertThat(reader.next()).isPresent();
        assertThat(reader.next()).isEmpty();
    }

    /** The checksums end where the directory of the archive begins, which nothing depends on. */
    @Test
    void everyCutBeforeTheDirectoryIsFound() throws IOException {
        byte[] whole = backup();
        int directory = indexOf(whole, new byte[] {'P', 'K', 1, 2});

        for (int length = 0; length < directory; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> read(cut))
                    .as("%d of %d bytes", length, directory)
                    .isInstanceOf(BackupException.class);
        }
    }

    @Test
    void everyChangedByteOfTheContentsIsFound() throws IOException {
        byte[] whole = backup();
        int directory = indexOf(whole, new byte[] {'P', 'K', 1, 2});
        Map<String, String> sound = read(whole);

        for (int i = 0; i < directory; i++) {
            byte[] changed = whole.clone();
            changed[i] ^= 0x20;
            try {
                // What is not found is no content: times and version numbers of the archive.
                assertThat(read(changed)).as("byte %d", i).isEqualTo(sound);
            } catch (IOException e) {
                assertThat(e).as("byte %d", i).isInstanceOf(BackupException.class);
            }
        }
    }

    @Test
    void otherFilesAndNewerFormatsAreRefused() {
        assertThatThrownBy(() -> read("no archive at all".getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("no backup of Orloj");
        byte[] newer =
                new String(HEADER.toJson(), StandardCharsets.UTF_8)
                        .replace("\"format\":1", "\"format\":2")
                        .getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> BackupHeader.parse(newer))
                .hasMessageContaining("format 2 of a newer Orloj (0.1.0)");
    }

    @Test
    void namesThatAreNoNamesOfTablesAreRefused() {
        byte[] odd =
                new String(HEADER.toJson(), StandardCharsets.UTF_8)
                        .replace("user_token", "x; DROP TABLE y")
                        .getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> BackupHeader.parse(odd)).isInstanceOf(BackupException.class);
    }

    private static int indexOf(byte[] all, byte[] part) {
        for (int i = 0; i + part.length <= all.length; i++) {
            if (Arrays.equals(Arrays.copyOfRange(all, i, i + part.length), part)) {
                return i;
            }
        }
        throw new AssertionError("not found");
    }
}
