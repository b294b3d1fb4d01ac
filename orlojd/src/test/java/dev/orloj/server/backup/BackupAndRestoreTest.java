package dev.orloj.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.backup.BackupHeader;
import dev.orloj.api.backup.BackupLimits;
import dev.orloj.api.backup.BackupReader;
import dev.orloj.api.backup.BackupWriter;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.server.audit.RestoreEvent;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.store.key.KeySource;
import dev.orloj.server.store.key.StoredKeys;
import dev.orloj.server.testing.RunningOrlojd;

import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** An orlojd is saved while it works, and another one goes on with what it had. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("22, item 1: orlojctl admin backup and restore")
class BackupAndRestoreTest {

    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String SECRETS = "/apis/orloj.dev/v1/namespaces/default/secrets";

    @TempDir static Path folder;

    private RunningOrlojd source;

    /** Of {@link #source}, with something of each kind of data. */
    private Path file;

    /** The instance that refuses all the files of these tests. */
    private RunningOrlojd refusing;

    private static CommandRun ctl(RunningOrlojd orlojd, String... arguments) {
        return CommandRun.of(orlojd, arguments);
    }

    private static void configMap(RunningOrlojd orlojd, String name, String value) {
        orlojd.client().post(CONFIG_MAPS, Manifests.configMap(name, value)).expect(201);
    }

    @BeforeAll
    void start() throws IOException {
        source = RunningOrlojd.start();
        configMap(source, "one", "first");
        source.client().post(SECRETS, Manifests.secret("password")).expect(201);
        source.client()
                .post(
                        "/apis/orloj.dev/v1/usertokens",
                        Map.of(
                                "apiVersion",
                                "orloj.dev/v1",
                                "kind",
                                "UserToken",
                                "metadata",
                                Map.of("name", "ann-laptop"),
                                "spec",
                                Map.of("user", "ann")));
        stdio(source, "box");
        fillTables(source.database().jdbc());
        await().atMost(Duration.ofSeconds(30))
                .until(() -> count(source.database().jdbc(), "audit_event") > 0);
        file = folder.resolve("orloj.backup");
        CommandRun saved = ctl(source, "admin", "backup", file.toString());
        assertThat(saved.code()).as(saved.err()).isZero();
        assertThat(saved.err())
                .contains("is not in it: keep a copy of that key", "hardware security module");
        refusing = RunningOrlojd.start();
        configMap(refusing, "own", "kept");
    }

    /** Rows whose making would need servers, clients and time. */
    private static final String ROWS =
            """
            INSERT INTO tool_call (id, namespace, tool, caller, request, replica, state, ended_at)
            VALUES ('c1', 'default', 't', 'ann', 'd', 'r', 'Completed', now());
            INSERT INTO tool_ledger (namespace, server)
            VALUES ('default', E'odd\\tname\\\\ \u00e4\\nline');
            INSERT INTO tool_ledger_entry VALUES ('default', 's', 1, '{}', 'h', '', false);
            INSERT INTO tool_ledger_content VALUES ('default', 's', 'd', 1, '{"a": 1e2}');
            INSERT INTO tool_approval (namespace, server, tool, state, digest, at)
            VALUES ('default', 's', 't', 'Approved', 'd', now());
            INSERT INTO definition_approval (namespace, server, name, state, digest, at)
            VALUES ('default', 's', 'server/instructions', 'Approved', 'd', now());
            INSERT INTO served_definition (namespace, server, name, digest, document)
            VALUES ('default', 's', 'prompt/p', 'd', '{"name": "p"}');
            INSERT INTO user_token (name, digest, username, groups, parent, created_by, created_at,
                                    expires_at)
            VALUES ('a-child', '\\x01ff', 'ann', '{a,b}', 'z-parent', 'x', now(), now()),
                   ('z-parent', '\\x02', 'ann', '{}', NULL, 'x', now(), now());
            INSERT INTO signing_key (id, sealed) VALUES ('k1', 'not sealed');
            """;

    private static void stdio(RunningOrlojd orlojd, String name) {
        List<String> command =
                FakeStdioServer.in(folder, FakeScript.wellBehaved().tools("echo")).command();
        orlojd.client().create("default", "mcpservers", RunningOrlojd.stdio(name, command));
        orlojd.awaitReady("default", name);
    }

    private static void fillTables(JdbcClient jdbc) {
        jdbc.sql(ROWS).update();
    }

    @AfterAll
    void stop() {
        for (RunningOrlojd each : List.of(source, refusing)) {
            each.close();
            each.database().close();
        }
    }

    private static long count(JdbcClient jdbc, String table) {
        return jdbc.sql("SELECT count(*) FROM " + table).query(Long.class).single();
    }

    /** The rows of all tables that a backup has, without what a restore is to change. */
    private static Map<String, List<String>> rows(byte[] backup) throws IOException {
        return SavedRows.of(backup).without("resource_version");
    }

    @Test
    void everyRowOfEveryTableComesBack() throws IOException {
        TestPostgres.Database empty = TestPostgres.freshDatabase();
        KeySource shared =
                KeySource.of(
                        Path.of("target", "test-secret.key").toAbsolutePath().toString(),
                        "",
                        "",
                        folder);
        StoredKeys keys = StoredKeys.open(empty.direct(), shared);
        DatabaseRestore restore =
                new DatabaseRestore(
                        empty.direct(),
                        new SchemaVersion(Flyway.configure().dataSource(empty.direct()).load()),
                        keys,
                        new RestoreEvent("test", InstantSource.system()));
        try (InputStream in = Files.newInputStream(file)) {
            restore.run(in, BackupLimits.DEFAULTS, false);
        }

        Map<String, List<String>> saved = rows(Files.readAllBytes(file));
        Map<String, List<String>> restored = SavedRows.of(empty).without("resource_version");
        // Beside those of the backup there are those of the target, which goes on with its own.
        assertThat(restored.remove(RestoredKeys.TABLE))
                .hasSizeGreaterThanOrEqualTo(saved.remove(RestoredKeys.TABLE).size());
        assertThat(restored.remove("audit_event"))
                .hasSize(saved.remove("audit_event").size() + 1)
                .last()
                .asString()
                .contains("\"verb\":\"restore\"", "\"orloj.dev/replaced-log\":\"0 0000");
        saved.remove("audit_head");
        restored.remove("audit_head");
        assertThat(restored).isEqualTo(saved);
        assertThat(saved)
                .as("every table has something to compare")
                .allSatisfy((table, rows) -> assertThat(rows).as(table).isNotEmpty());
        assertThat(saved.get("resource")).noneMatch(row -> row.startsWith("leases."));
        empty.close();
    }

    @Test
    void anotherOrlojdGoesOnWithWhatWasSaved() throws IOException {
        try (RunningOrlojd target = RunningOrlojd.start()) {
            JsonNode before = target.client().get(CONFIG_MAPS).expect(200).body();
            String old = before.at("/metadata/resourceVersion").asString();

            CommandRun restored = ctl(target, "admin", "restore", file.toString());
            assertThat(restored.code()).as(restored.err()).isZero();
            assertThat(restored.text()).contains("Restored the backup of");

            JsonNode uid = source.client().get(CONFIG_MAPS + "/one").expect(200).body();
            JsonNode one = target.client().get(CONFIG_MAPS + "/one").expect(200).body();
            assertThat(one.at("/metadata/uid")).isEqualTo(uid.at("/metadata/uid"));
            assertThat(one.at("/metadata/resourceVersion").asLong())
                    .isGreaterThan(uid.at("/metadata/resourceVersion").asLong())
                    .isGreaterThan(Long.parseLong(old));
            assertThat(target.client().get(SECRETS + "/password").expect(200).text())
                    .contains("b3BlbiBzZXNhbWU=");
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    target.client()
                                                            .get(
                                                                    CONFIG_MAPS
                                                                            + "?watch=true&timeoutSeconds=1&resourceVersion="
                                                                            + old)
                                                            .text())
                                            .contains("410"));

            assertKeysAreStored(target);
            assertThat(restored.err()).contains("Restart orlojd, every replica");

            JsonNode list = target.client().get(CONFIG_MAPS).expect(200).body();
            String head = list.at("/metadata/resourceVersion").asString();
            configMap(target, "after", "new");
            assertThat(
                            target.client()
                                    .get(
                                            CONFIG_MAPS
                                                    + "?watch=true&timeoutSeconds=2&resourceVersion="
                                                    + head)
                                    .expect(200)
                                    .text())
                    .contains("\"ADDED\"", "\"after\"")
                    .doesNotContain("\"one\"");
            assertThat(schemas(target)).doesNotContain(Staging.SCHEMA);
        }
    }

    /** A value that is encrypted after a restore names a key that is in the database. */
    private static void assertKeysAreStored(RunningOrlojd orlojd) {
        orlojd.client()
                .post(
                        SECRETS,
                        Map.of(
                                "apiVersion",
                                "orloj.dev/v1",
                                "kind",
                                "Secret",
                                "metadata",
                                Map.of("name", "afterwards"),
                                "spec",
                                Map.of("data", Map.of("value", "bmV3"))))
                .expect(201);
        assertThat(
                        orlojd.database()
                                .jdbc()
                                .sql(
                                        """
                                        SELECT count(*) FROM resource r
                                         WHERE r.kind = 'secrets.orloj.dev' AND r.name = 'afterwards'
                                           AND EXISTS (SELECT 1 FROM encryption_key k
                                                WHERE k.purpose = 'data' AND k.state = 'Current'
                                                  AND r.document::text LIKE '%orloj:v1:' || k.id || ':%')
                                        """)
                                .query(Long.class)
                                .single())
                .isEqualTo(1);
        assertThat(orlojd.client().get("/readyz?verbose").text())
                .contains("[-]encryption-key failed", "restart orlojd");
    }

    private static List<String> schemas(RunningOrlojd orlojd) {
        return orlojd.database()
                .jdbc()
                .sql("SELECT nspname FROM pg_namespace")
                .query(String.class)
                .list();
    }

    private BackupHeader header() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new BackupReader(in).header();
        }
    }

    /** The file with another header. */
    private byte[] with(BackupHeader header) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BackupWriter writer = new BackupWriter(out, header);
        BackupReader reader = new BackupReader(Files.newInputStream(file));
        for (Optional<BackupReader.Entry> entry = reader.next();
                entry.isPresent();
                entry = reader.next()) {
            InputStream rows = entry.get().rows();
            writer.table(entry.get().table().name(), rows::transferTo);
        }
        writer.finish();
        return out.toByteArray();
    }

    private void assertRefused(byte[] backup, String why, String... more) {
        List<String> arguments = new ArrayList<>(List.of("admin", "restore", "-"));
        arguments.addAll(List.of(more));
        CommandRun run =
                CommandRun.of(
                        refusing,
                        new ByteArrayInputStream(backup),
                        arguments.toArray(String[]::new));

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains(why);
        assertThat(refusing.client().get(CONFIG_MAPS + "/own").code()).isEqualTo(200);
        assertThat(schemas(refusing)).doesNotContain(Staging.SCHEMA);
    }

    @Test
    void refusesWhatItCannotRestore() throws IOException {
        BackupHeader header = header();
        byte[] sound = Files.readAllBytes(file);
        assertRefused(sound, "this instance has data, such as configmaps \"default/own\"");
        assertRefused(
                with(
                        new BackupHeader(
                                "9.9",
                                999,
                                header.createdAt(),
                                header.keys(),
                                header.revision(),
                                header.tables())),
                "the backup is of Orloj 9.9, whose database has version 999",
                "--force");
        assertRefused(
                with(
                        new BackupHeader(
                                header.version(),
                                header.schema(),
                                header.createdAt(),
                                List.of("0011223344556677"),
                                header.revision(),
                                header.tables())),
                "wrapped by key \"0011223344556677\", and this orlojd has key \""
                        + header.keys().getFirst(),
                "--force");
        assertRefused(
                with(
                        new BackupHeader(
                                header.version(),
                                header.schema(),
                                header.createdAt(),
                                List.of("pkcs11:token=orloj;object=kek"),
                                header.revision(),
                                header.tables())),
                "give it with --secret-key-pkcs11",
                "--force");
        assertRefused(
                Arrays.copyOf(sound, sound.length * 2 / 3), "backup is incomplete", "--force");
        byte[] damaged = sound.clone();
        damaged[sound.length / 2] ^= 1;
        assertRefused(damaged, "backup is damaged", "--force");
        assertRefused("text".getBytes(StandardCharsets.UTF_8), "no backup of Orloj", "--force");
    }

    /** What a killed restore leaves does not prevent the next one. */
    @Test
    void forceReplacesWhatIsThere() throws IOException {
        try (RunningOrlojd target = RunningOrlojd.start()) {
            configMap(target, "own", "replaced");
            stdio(target, "own");
            // The Pod of a process is written after the status of its server.
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () ->
                                    assertThat(processes(target))
                                            .singleElement()
                                            .asString()
                                            .startsWith("own-"));
            target.database().jdbc().sql("CREATE SCHEMA " + Staging.SCHEMA).update();
            target.database()
                    .jdbc()
                    .sql("CREATE TABLE " + Staging.SCHEMA + ".resource (left_over text)")
                    .update();

            CommandRun run = ctl(target, "admin", "restore", file.toString(), "--force");

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(target.client().get(CONFIG_MAPS + "/own").code()).isEqualTo(404);
            assertThat(target.client().get(CONFIG_MAPS + "/one").code()).isEqualTo(200);
            assertThat(schemas(target)).doesNotContain(Staging.SCHEMA);
            // The process of the backup's server is one of this replica, and its own is gone.
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () -> {
                                assertThat(processes(target))
                                        .singleElement()
                                        .asString()
                                        .startsWith("box-");
                                assertThat(target.part(SessionManager.class).sessions())
                                        .singleElement()
                                        .asString()
                                        .contains("box");
                            });
            target.client().call("default", "box--echo", "{}").expect(200);
        }
    }

    /** The names of the Pods of an instance. */
    private static List<String> processes(RunningOrlojd orlojd) {
        return orlojd.client()
                .get("/api/v1/namespaces/default/pods")
                .expect(200)
                .body()
                .path("items")
                .valueStream()
                .map(pod -> pod.at("/metadata/name").asString())
                .toList();
    }

    /** A writer changes one and then two: no moment has two ahead of one, or far behind. */
    @Test
    void isOneMomentWhileOthersWrite() throws Exception {
        try (RunningOrlojd busy = RunningOrlojd.start()) {
            configMap(busy, "a", "0");
            configMap(busy, "b", "0");
            AtomicBoolean over = new AtomicBoolean();
            CountDownLatch written = new CountDownLatch(20);
            Thread writer =
                    Thread.startVirtualThread(
                            () -> {
                                for (int i = 1; !over.get(); i++) {
                                    for (String name : List.of("a", "b")) {
                                        put(busy, name, i);
                                    }
                                    written.countDown();
                                }
                            });
            written.await();
            for (int i = 0; i < 5; i++) {
                CommandRun run = ctl(busy, "admin", "backup", "-");
                assertThat(run.code()).as(run.err()).isZero();
                List<String> resources = rows(run.out()).get("resource");
                int a = value(resources, "a");
                int b = value(resources, "b");
                assertThat(a - b).as("a %d, b %d", a, b).isBetween(0, 1);
            }
            over.set(true);
            writer.join();
        }
    }

    private static void put(RunningOrlojd orlojd, String name, int value) {
        orlojd.client()
                .put(
                        CONFIG_MAPS + "/" + name,
                        Map.of(
                                "apiVersion",
                                "v1",
                                "kind",
                                "ConfigMap",
                                "metadata",
                                Map.of("name", name),
                                "data",
                                Map.of("key", "n" + value)))
                .expect(200);
    }

    private static int value(List<String> resources, String name) {
        String row =
                resources.stream()
                        .filter(each -> each.startsWith("configmaps\tdefault\t" + name + "\t"))
                        .findFirst()
                        .orElseThrow();
        return Integer.parseInt(row.replaceFirst("(?s).*\"key\": ?\"n?(\\d+)\".*", "$1"));
    }

    @Test
    void fileIsForItsOwnerOnlyAndReplacedOnlyOnDemand() throws IOException {
        Path own = Files.createDirectory(folder.resolve("own")).resolve("x.backup");
        assertThat(ctl(source, "admin", "backup", own.toString()).code()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                .isEqualTo("rw-------");

        byte[] first = Files.readAllBytes(own);
        CommandRun again = ctl(source, "admin", "backup", own.toString());
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err()).contains("is there already", "--overwrite");
        assertThat(Files.readAllBytes(own)).isEqualTo(first);
        assertThat(ctl(source, "admin", "backup", own.toString(), "--overwrite").code()).isZero();
        assertThat(Files.readAllBytes(own)).isNotEqualTo(first);
        try (Stream<Path> files = Files.list(own.getParent())) {
            assertThat(files).containsExactly(own);
        }
    }

    @Test
    void whatCannotBeWrittenLeavesNoFile() {
        CommandRun run = ctl(source, "admin", "backup", "/nowhere/x.backup");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("\"/nowhere\" does not exist").doesNotContain("partial");
        assertThat(Set.of(folder.toFile().list()))
                .isNotEmpty()
                .noneMatch(n -> n.endsWith("partial"));
    }
}
