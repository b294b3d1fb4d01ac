package dev.orloj.server.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.backup.BackupWriter;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A backup that unpacks to more than the limits is refused, and leaves nothing. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("22, item 1: limits of orlojctl admin restore")
class RestoreLimitsTest {

    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int MEBIBYTE = 1 << 20;

    /** Of an event; larger than that of any that orlojd writes during the test. */
    private static final int FIRST = 1_000_000;

    @TempDir static Path folder;

    private RunningOrlojd orlojd;
    private SavedRows sound;

    @BeforeAll
    void start() throws IOException {
        orlojd = RunningOrlojd.start();
        sound = SavedRows.of(CommandRun.of(orlojd, "admin", "backup", "-").expectSuccess().out());
        orlojd.client().post(CONFIG_MAPS, Manifests.configMap("own", "kept")).expect(201);
    }

    @AfterAll
    void stop() {
        orlojd.close();
        orlojd.database().close();
    }

    /** As many events of 1,000 characters as fit, which deflate to less than a hundredth. */
    private static BackupWriter.Content events(int mebibytes) {
        String event = "x".repeat(1_000);
        return to -> {
            for (int i = 1; i <= mebibytes * (MEBIBYTE / event.length()); i++) {
                String row = "%d\tp\th\t%s\t2026-11-25 12:00:00+00\n".formatted(FIRST + i, event);
                to.write(row.getBytes(StandardCharsets.UTF_8));
            }
        };
    }

    private static BackupWriter.Content longRow(int mebibytes) {
        return to -> {
            to.write((FIRST + "\tp\th\t").getBytes(StandardCharsets.UTF_8));
            byte[] block = "x".repeat(MEBIBYTE).getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < mebibytes; i++) {
                to.write(block);
            }
            to.write("\t2026-11-25 12:00:00+00\n".getBytes(StandardCharsets.UTF_8));
        };
    }

    private CommandRun restore(Path file, String... options) {
        List<String> arguments =
                new ArrayList<>(List.of("admin", "restore", file.toString(), "--force"));
        arguments.addAll(List.of(options));
        return CommandRun.of(orlojd, arguments.toArray(String[]::new));
    }

    private Path file(String name, BackupWriter.Content events) throws IOException {
        return Files.write(folder.resolve(name), sound.with("audit_event", events));
    }

    private void assertRefused(CommandRun run, Path file, String... why) {
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("\"" + file + "\": ").contains(why);
        assertThat(orlojd.client().get(CONFIG_MAPS + "/own").code()).isEqualTo(200);
        assertThat(
                        orlojd.database()
                                .jdbc()
                                .sql("SELECT nspname FROM pg_namespace")
                                .query(String.class)
                                .list())
                .doesNotContain(Staging.SCHEMA);
    }

    private long databaseSize() {
        return orlojd.database()
                .jdbc()
                .sql("SELECT pg_database_size(current_database())")
                .query(Long.class)
                .single();
    }

    @Test
    void smallFileThatUnpacksToMoreThanTheLimitIsRefusedAndLeavesNothing() throws IOException {
        Path file = file("large.backup", events(512));
        assertThat(Files.size(file)).isLessThan(8L * MEBIBYTE);
        long before = databaseSize();

        CommandRun run = restore(file, "--max-size", "48m");

        assertRefused(
                run,
                file,
                "unpacks to more than 50331648 bytes (limit reached in \"audit_event\")",
                "raise the limit with --max-size");
        assertThat(databaseSize()).isLessThan(before + 8 * MEBIBYTE);
    }

    @Test
    void fileOfTooManyRowsIsRefused() throws IOException {
        Path file = file("many.backup", events(2));

        assertRefused(
                restore(file, "--max-rows", "1000"),
                file,
                "more than 1000 rows (limit reached in \"audit_event\")",
                "raise the limit with --max-rows");
    }

    /** What PostgreSQL reads as a whole, and the memory of a machine is for. */
    @Test
    void longRowIsRefusedByDefaultAndTakenWithTheOption() throws IOException {
        Path file = file("long.backup", longRow(65));

        assertRefused(
                restore(file),
                file,
                "row 1 of \"audit_event\" has more than 67108864 bytes",
                "raise the limit with --max-row-size");

        try (RunningOrlojd target = RunningOrlojd.start()) {
            CommandRun.of(target, "admin", "restore", file.toString(), "--max-row-size", "66m")
                    .expectSuccess();
            assertThat(
                            target.database()
                                    .jdbc()
                                    .sql("SELECT length(event) FROM audit_event WHERE sequence = ?")
                                    .param(FIRST)
                                    .query(Integer.class)
                                    .single())
                    .isEqualTo(65 * MEBIBYTE);
        }
    }

    @Test
    void valuesThatAreNoLimitsAreUsageErrors() {
        for (String[] wrong :
                new String[][] {
                    {"--max-size", "lots"},
                    {"--max-size", "0"},
                    {"--max-rows", "-1"},
                    {"--max-rows", "99999999999999999999"},
                    {"--max-row-size", "1.5"}
                }) {
            CommandRun run = restore(folder.resolve("absent"), wrong);

            assertThat(run.code()).as(String.join(" ", wrong)).isEqualTo(2);
            assertThat(run.err()).contains("%s \"%s\": must be ".formatted(wrong[0], wrong[1]));
        }
    }

    @Test
    void limitsInARequestAreNumbersFromOne() {
        String restores = "/apis/orloj.dev/v1/restores?dryRun=All&";
        for (String limit : List.of("maxBytes=0", "maxRows=-1", "maxRowBytes=64m")) {
            assertThat(
                            orlojd.client()
                                    .post(restores + limit, Map.of())
                                    .expect(400)
                                    .body()
                                    .path("message")
                                    .asString())
                    .contains("\"%s\"".formatted(limit.split("=", 2)[0]), "1 or more");
        }
    }
}
