package dev.orloj.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.server.postgres.OtherPostgres;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A backup goes from the embedded PostgreSQL to another major version and back, and orlojd works on
 * both with all that there was.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("22, item 1: backup and restore between major versions of PostgreSQL")
class BackupAcrossVersionsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String SECRETS = RestClient.collection("default", "secrets");

    /** With what COPY, JSON and collations treat in ways of their own. */
    private static final String TEXT = "tab\tline\nback\\slash \\. \u00e4\u00df\ud83d\ude80 \\N";

    @TempDir static Path folder;

    private RunningOrlojd embedded;
    private Path saved;

    @BeforeAll
    void start() throws IOException {
        embedded = RunningOrlojd.start();
        fill(embedded, "first");
        assertWorks(embedded, "first");
        saved = backup(embedded, "embedded.backup");
    }

    @AfterAll
    void stop() {
        embedded.close();
        embedded.database().close();
    }

    /** A server with tools, a ledger, a Secret and a call in the audit log, by one name. */
    private static void fill(RunningOrlojd orlojd, String name) {
        orlojd.client().post(CONFIG_MAPS, Manifests.configMap(name, TEXT)).expect(201);
        orlojd.client().post(SECRETS, Manifests.secret(name)).expect(201);
        List<String> command =
                FakeStdioServer.in(folder, FakeScript.wellBehaved().tools("echo", name)).command();
        orlojd.client().create("default", "mcpservers", RunningOrlojd.stdio(name, command));
        orlojd.awaitReady("default", name);
        orlojd.client().call("default", name + "--echo", "{}").expect(200);
        await().atMost(TIMEOUT).until(() -> audited(orlojd, name + "--echo"));
    }

    private static boolean audited(RunningOrlojd orlojd, String tool) {
        return orlojd.database()
                .jdbc()
                .sql("SELECT count(*) > 0 FROM audit_event WHERE strpos(event, ?) > 0")
                .param("\"" + tool + "\"")
                .query(Boolean.class)
                .single();
    }

    private static Path backup(RunningOrlojd orlojd, String name) {
        Path file = folder.resolve(name);
        CommandRun.of(orlojd, "admin", "backup", file.toString()).expectSuccess();
        return file;
    }

    /** An orlojd that has restored a backup and started again, as the command asks for. */
    private static RunningOrlojd restored(TestPostgres.Database database, Path backup)
            throws IOException {
        try (RunningOrlojd target = RunningOrlojd.start(database, Map.of())) {
            CommandRun run = CommandRun.of(target, "admin", "restore", backup.toString());
            assertThat(run.expectSuccess().err()).contains("Restart orlojd");
        }
        assertSameRows(Files.readAllBytes(backup), database);
        return RunningOrlojd.start(database, Map.of());
    }

    /** Of the tables to whose rows orlojd only adds, once it has started. */
    private static void assertSameRows(byte[] backup, TestPostgres.Database database)
            throws IOException {
        SavedRows saved = SavedRows.of(backup);
        SavedRows restored = SavedRows.of(database);
        for (String table : List.of("tool_ledger_entry", "tool_ledger_content", "audit_event")) {
            assertThat(restored.rows(table)).as(table).containsAll(saved.rows(table));
            assertThat(saved.rows(table)).as(table).isNotEmpty();
        }
    }

    /** Everything of {@link #fill} is there, is used, and is proven by its chains. */
    private static void assertWorks(RunningOrlojd orlojd, String... names) {
        for (String name : names) {
            assertThat(
                            orlojd.client()
                                    .get(CONFIG_MAPS + "/" + name)
                                    .expect(200)
                                    .body()
                                    .at("/data/key")
                                    .asString())
                    .isEqualTo(TEXT);
            assertThat(orlojd.client().get(SECRETS + "/" + name).expect(200).text())
                    .contains("b3BlbiBzZXNhbWU=");
            orlojd.awaitReady("default", name);
            assertThat(orlojd.tools("default")).contains("echo", name);
            orlojd.client().call("default", name + "--echo", "{}").expect(200);
            assertThat(audited(orlojd, name + "--echo")).isTrue();
        }
        assertThat(CommandRun.of(orlojd, "tools", "verify", "-A").expectSuccess().text())
                .contains("2 tools");
        assertThat(CommandRun.of(orlojd, "audit", "verify").expectSuccess().text())
                .contains("The audit log is whole: events 1 to ");
        assertThat(orlojd.client().get("/readyz").code()).isEqualTo(200);
    }

    @ParameterizedTest(name = "PostgreSQL {0}")
    @ValueSource(ints = {15, 17})
    void backupGoesToAnotherMajorVersionAndBack(int major) throws Exception {
        try (OtherPostgres postgres = new OtherPostgres(major);
                TestPostgres.Database other = postgres.freshDatabase();
                TestPostgres.Database back = TestPostgres.freshDatabase()) {
            assertThat(version(other)).isEqualTo(major).isNotEqualTo(version(back));
            Path file;
            try (RunningOrlojd orlojd = restored(other, saved)) {
                assertWorks(orlojd, "first");
                fill(orlojd, "second");
                assertWorks(orlojd, "first", "second");
                file = backup(orlojd, "postgres-%d.backup".formatted(major));
            }
            try (RunningOrlojd orlojd = restored(back, file)) {
                assertWorks(orlojd, "first", "second");
            }
        }
    }

    private static int version(TestPostgres.Database database) {
        return Integer.parseInt(
                        database.jdbc().sql("SHOW server_version_num").query(String.class).single())
                / 10_000;
    }
}
