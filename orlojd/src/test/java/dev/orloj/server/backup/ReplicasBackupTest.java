package dev.orloj.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerState;
import dev.orloj.api.ledger.LedgerVerification;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Two replicas that both write are saved as one moment, and are replaced while both run. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("22, item 1: backup and restore with several replicas that write")
class ReplicasBackupTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int BACKUPS = 6;
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String TOOLS = RestClient.collection("default", "tools");
    private static final List<String> SERVERS = List.of("one", "two");

    @TempDir static Path folder;

    private TestPostgres.Database database;
    private RunningOrlojd first;
    private RunningOrlojd second;

    @BeforeAll
    void start() throws IOException {
        database = TestPostgres.freshDatabase();
        first = RunningOrlojd.start(database, Map.of());
        second = RunningOrlojd.start(database, Map.of());
        for (String server : SERVERS) {
            List<String> command =
                    FakeStdioServer.in(folder, FakeScript.wellBehaved().tools("a", "b")).command();
            first.client().create("default", "mcpservers", RunningOrlojd.stdio(server, command));
            first.awaitReady("default", server);
        }
        for (String name : List.of("a", "b")) {
            create(first, name, 0).expect(201);
        }
    }

    @AfterAll
    void stop() {
        second.close();
        first.close();
        database.close();
    }

    private static RestClient.Answer create(RunningOrlojd orlojd, String name, int value) {
        return orlojd.client().post(CONFIG_MAPS, configMap(name, value));
    }

    private static Map<String, Object> configMap(String name, int value) {
        return Manifests.configMap(name, "n" + value);
    }

    /** Goes on until it is closed, and fails the test if a writer has failed. */
    private static final class Writers implements AutoCloseable {

        private final AtomicBoolean isOver = new AtomicBoolean();
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final List<Future<?>> writers = new ArrayList<>();

        interface Writer {
            void write(int round);
        }

        void add(Writer writer) {
            writers.add(
                    threads.submit(
                            () -> {
                                for (int round = 1; !isOver.get(); round++) {
                                    writer.write(round);
                                }
                            }));
        }

        void end() throws Exception {
            isOver.set(true);
            for (Future<?> writer : writers) {
                writer.get();
            }
        }

        @Override
        public void close() {
            isOver.set(true);
            threads.close();
        }
    }

    /** Writes one and then two at different replicas: no moment has two ahead of one, or behind. */
    private void writePair(int round, AtomicInteger rounds) {
        first.client().put(CONFIG_MAPS + "/a", configMap("a", round)).expect(200);
        second.client().put(CONFIG_MAPS + "/b", configMap("b", round)).expect(200);
        rounds.incrementAndGet();
    }

    /** What the server did not say is recorded in its ledger, and so is the correction. */
    private static void changeTool(RunningOrlojd replica, String tool, int round) {
        String patch = "{\"spec\": {\"description\": \"changed %d\"}}".formatted(round);
        assertThat(replica.client().patch(TOOLS + "/" + tool, patch).code()).isIn(200, 404, 409);
    }

    @Test
    void backupIsOneMomentOfBothReplicas() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        List<SavedRows> backups = new ArrayList<>();
        try (Writers writers = new Writers()) {
            writers.add(round -> writePair(round, rounds));
            writers.add(round -> changeTool(first, "one--a", round));
            writers.add(round -> changeTool(second, "one--a", round));
            writers.add(round -> changeTool(second, "two--b", round));
            for (int i = 0; i < BACKUPS; i++) {
                int before = rounds.get();
                long recorded = ledgerEntries();
                await().atMost(TIMEOUT)
                        .until(() -> rounds.get() > before + 3 && ledgerEntries() > recorded);
                RunningOrlojd replica = i % 2 == 0 ? first : second;
                backups.add(
                        SavedRows.of(
                                CommandRun.of(replica, "admin", "backup", "-")
                                        .expectSuccess()
                                        .out()));
            }
            writers.end();
        }

        long revision = 0;
        long entries = 0;
        for (SavedRows backup : backups) {
            assertThatPairIsOfOneMoment(backup);
            assertThatRevisionsAreComplete(backup);
            assertThatLogIsWhole(backup);
            for (String server : SERVERS) {
                assertThatToolsAreThoseOfTheLedger(backup, server);
            }
            assertThat(backup.header().revision()).isGreaterThan(revision);
            revision = backup.header().revision();
            assertThat(backup.rows("tool_ledger_entry")).hasSizeGreaterThan((int) entries);
            entries = backup.rows("tool_ledger_entry").size();
        }
    }

    private long ledgerEntries() {
        return database.jdbc()
                .sql("SELECT count(*) FROM tool_ledger_entry")
                .query(Long.class)
                .single();
    }

    private static void assertThatPairIsOfOneMoment(SavedRows backup) {
        Map<String, Integer> values = new HashMap<>();
        for (Map<String, String> row : backup.records("resource")) {
            if (row.get("kind").equals("configmaps") && row.get("namespace").equals("default")) {
                String value =
                        Json.MAPPER.readTree(row.get("document")).at("/data/key").asString("");
                values.put(row.get("name"), Integer.parseInt(value.substring(1)));
            }
        }
        assertThat(values.get("a") - values.get("b")).as("%s", values).isBetween(0, 1);
    }

    /** The header names the newest write that is in the backup, or one that only removed. */
    private static void assertThatRevisionsAreComplete(SavedRows backup) {
        long newest =
                backup.records("resource").stream()
                        .mapToLong(row -> Long.parseLong(row.get("resource_version")))
                        .max()
                        .orElseThrow();
        assertThat(newest).isLessThanOrEqualTo(backup.header().revision());
    }

    private static void assertThatLogIsWhole(SavedRows backup) {
        Map<String, String> head = backup.records("audit_head").getFirst();
        List<Map<String, String>> events =
                backup.records("audit_event").stream()
                        .sorted(
                                (a, b) ->
                                        Long.compare(
                                                Long.parseLong(a.get("sequence")),
                                                Long.parseLong(b.get("sequence"))))
                        .toList();
        String previous = "0".repeat(64);
        for (Map<String, String> event : events) {
            assertThat(event).containsEntry("previous_hash", previous);
            previous = event.get("hash");
        }
        assertThat(head)
                .containsEntry("sequence", Integer.toString(events.size()))
                .containsEntry("hash", previous);
    }

    /** The Tools, the head and the entries of a ledger are written in one transaction. */
    private static void assertThatToolsAreThoseOfTheLedger(SavedRows backup, String server) {
        Map<Long, LedgerEntry> entries = new TreeMap<>();
        for (Map<String, String> row : backup.records("tool_ledger_entry")) {
            if (row.get("server").equals(server)) {
                LedgerEntry entry = LedgerEntry.read(row.get("entry"), row.get("hash"));
                entries.put(entry.sequence(), entry);
            }
        }
        LedgerVerification ledger =
                new LedgerVerification(Optional.empty(), LedgerVerification.Kept.NOTHING);
        entries.values().forEach(ledger::take);
        backup.records("tool_ledger").stream()
                .filter(row -> row.get("server").equals(server))
                .forEach(row -> ledger.end(row.get("hash")));
        ledger.compare(tools(backup, server));

        assertThat(ledger.problems()).as(server).isEmpty();
        assertThat(ledger.state().tools()).as(server).hasSize(2);
    }

    private static Map<String, LedgerState.Item> tools(SavedRows backup, String server) {
        Map<String, LedgerState.Item> tools = new TreeMap<>();
        for (Map<String, String> row : backup.records("resource")) {
            GeneratedTool.of(Json.MAPPER.readTree(row.get("document")))
                    .filter(tool -> row.get("kind").equals("tools.orloj.dev"))
                    .filter(tool -> tool.server().equals(server))
                    .ifPresent(
                            tool ->
                                    tools.put(
                                            tool.resource(),
                                            new LedgerState.Item(
                                                    tool.tool(),
                                                    CanonicalJson.digest(tool.definition()))));
        }
        return tools;
    }

    /** No replica has to be stopped for a restore; each has to be started again after it. */
    @Test
    void runningReplicasGoOnWithTheBackupAndLoseNoWriteAfterIt() throws Exception {
        Path file = folder.resolve("source.backup");
        CommandRun.of(first, "admin", "backup", file.toString()).expectSuccess();
        try (TestPostgres.Database other = TestPostgres.freshDatabase()) {
            try (RunningOrlojd third = RunningOrlojd.start(other, Map.of());
                    RunningOrlojd fourth = RunningOrlojd.start(other, Map.of())) {
                replaceUnderLoad(third, fourth, file);
                for (RunningOrlojd replica : List.of(third, fourth)) {
                    assertThatBackupIsServed(replica);
                    // Also the one that has not restored it.
                    await().atMost(TIMEOUT)
                            .untilAsserted(
                                    () ->
                                            assertThat(
                                                            replica.client()
                                                                    .get("/readyz?verbose")
                                                                    .text())
                                                    .contains(
                                                            "[-]encryption-key failed",
                                                            "restart orlojd"));
                }
            }
            try (RunningOrlojd third = RunningOrlojd.start(other, Map.of());
                    RunningOrlojd fourth = RunningOrlojd.start(other, Map.of())) {
                for (RunningOrlojd replica : List.of(third, fourth)) {
                    assertThatBackupIsServed(replica);
                    assertThat(CommandRun.of(replica, "audit", "verify").expectSuccess().text())
                            .contains("The audit log is whole");
                    assertThat(replica.client().get("/readyz").code()).isEqualTo(200);
                }
            }
        }
    }

    private static void replaceUnderLoad(RunningOrlojd third, RunningOrlojd fourth, Path file)
            throws Exception {
        create(third, "replaced", 0).expect(201);
        String old =
                fourth.client()
                        .get(CONFIG_MAPS)
                        .expect(200)
                        .body()
                        .at("/metadata/resourceVersion")
                        .asString();
        Map<String, List<Integer>> acknowledged = new TreeMap<>();
        try (Writers writers = new Writers()) {
            for (RunningOrlojd replica : List.of(third, fourth)) {
                String prefix = replica == third ? "third-" : "fourth-";
                List<Integer> own = new CopyOnWriteArrayList<>();
                acknowledged.put(prefix, own);
                writers.add(
                        round -> {
                            RestClient.Answer answer = create(replica, prefix + round, round);
                            assertThat(answer.code()).as(answer.text()).isIn(201, 503);
                            if (answer.code() == 201) {
                                own.add(round);
                            }
                        });
            }
            awaitMore(acknowledged.values());
            CommandRun.of(third, "admin", "restore", file.toString(), "--force").expectSuccess();
            awaitMore(acknowledged.values());
            writers.end();
        }
        for (Map.Entry<String, List<Integer>> writer : acknowledged.entrySet()) {
            assertThatWritesEndWithTheLast(third, writer.getKey(), writer.getValue());
            assertThatWritesEndWithTheLast(fourth, writer.getKey(), writer.getValue());
        }
        assertThat(fourth.client().get(CONFIG_MAPS + "/replaced").code()).isEqualTo(404);
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                fourth.client()
                                        .get(
                                                CONFIG_MAPS
                                                        + "?watch=true&timeoutSeconds=1&resourceVersion="
                                                        + old)
                                        .text()
                                        .contains("410"));
    }

    /** Waits until more of the writes of each writer are acknowledged. */
    private static void awaitMore(Collection<List<Integer>> acknowledged) {
        for (List<Integer> own : acknowledged) {
            int before = own.size();
            await().atMost(TIMEOUT).until(() -> own.size() > before + 10);
        }
    }

    /**
     * What was acknowledged before the moment of the restore is gone, and all after it is there.
     */
    private static void assertThatWritesEndWithTheLast(
            RunningOrlojd replica, String prefix, List<Integer> acknowledged) {
        List<Integer> present =
                replica.client()
                        .get(CONFIG_MAPS)
                        .expect(200)
                        .body()
                        .path("items")
                        .valueStream()
                        .map(item -> item.at("/metadata/name").asString())
                        .filter(name -> name.startsWith(prefix))
                        .map(name -> Integer.parseInt(name.substring(prefix.length())))
                        .sorted()
                        .toList();
        assertThat(present).isNotEmpty().hasSizeLessThan(acknowledged.size());
        assertThat(present)
                .isEqualTo(
                        acknowledged.subList(
                                acknowledged.size() - present.size(), acknowledged.size()));
    }

    private static void assertThatBackupIsServed(RunningOrlojd replica) {
        for (String server : SERVERS) {
            replica.awaitReady("default", server);
            await().atMost(TIMEOUT)
                    .until(
                            () ->
                                    replica.client().call("default", server + "--a", "{}").code()
                                            == 200);
        }
        for (String name : List.of("a", "b")) {
            assertThat(replica.client().get(CONFIG_MAPS + "/" + name).code()).isEqualTo(200);
        }
        CommandRun.of(replica, "tools", "verify", "-A").expectSuccess();
    }
}
