package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The audit log on the command line: what it shows, and what verification finds. */
@Timeout(180)
@DisplayName("19, item 8: orlojctl audit lists, exports and verifies")
class OrlojctlAuditTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir private Path folder;

    private RunningOrlojd orlojd;
    private JdbcClient jdbc;

    @BeforeEach
    void start() {
        orlojd = RunningOrlojd.start();
        jdbc = orlojd.database().jdbc();
        for (String name : new String[] {"one", "two", "three"}) {
            orlojd.client()
                    .post(
                            "/api/v1/namespaces/default/configmaps",
                            Map.of(
                                    "apiVersion", "v1",
                                    "kind", "ConfigMap",
                                    "metadata", Map.of("name", name)))
                    .expect(201);
        }
        awaitEvents(3);
    }

    @AfterEach
    void stop() {
        orlojd.close();
        orlojd.database().close();
    }

    private void awaitEvents(int number) {
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                jdbc.sql("SELECT count(*) FROM audit_event")
                                                .query(Integer.class)
                                                .single()
                                        == number);
    }

    private OrlojctlRun ctl(String... arguments) {
        return OrlojctlRun.of(URI.create(orlojd.client().url()).getPort(), "", arguments);
    }

    private String saved(String name, String... command) throws IOException {
        OrlojctlRun run = ctl(command);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return Files.writeString(folder.resolve(name), run.out()).toString();
    }

    @Test
    void listShowsTheNewestFirstAndFilters() {
        OrlojctlRun all = ctl("audit");
        assertThat(all.out()).startsWith("TIME").contains("system:anonymous", "configmaps", "201");
        assertThat(all.out().indexOf("three")).isLessThan(all.out().indexOf("one"));

        assertThat(ctl("audit", "--name", "two").out()).contains("two").doesNotContain("three");
        assertThat(ctl("audit", "--limit", "1").out()).contains("three").doesNotContain("two");
        assertThat(ctl("audit", "-n", "default", "--resource", "configmaps").out()).contains("one");
        assertThat(ctl("audit", "--verb", "call").err()).isEqualTo("No events found.\n");
        assertThat(ctl("audit", "--verb", "cal").err())
                .isEqualTo("No events found; did you mean \"call\"?\n");
        assertThat(ctl("audit", "--resource", "tool").err())
                .isEqualTo("No events found; did you mean \"tools\"?\n");
        assertThat(ctl("audit", "--user", "system:anonymous", "--since", "1h").out())
                .contains("one");
        assertThat(ctl("audit", "--user", "ann").err()).contains("No events found");
    }

    @Test
    @DisplayName("Issue 21, item 1: who took a checkpoint of the ledgers is in the log")
    void checkpointOfTheLedgersIsRecorded() {
        assertThat(ctl("tools", "checkpoint", "-A").out()).startsWith("orloj.dev/tool-ledgers\n");
        awaitEvents(4);

        assertThat(ctl("audit", "--resource", "toolledgers").out())
                .contains("system:anonymous", "get", "checkpoint", "200");
    }

    @Test
    void listHasFormatsForPrograms() {
        JsonNode json = Json.MAPPER.readTree(ctl("audit", "-o", "json").out());
        assertThat(json.path("apiVersion").asString("")).isEqualTo("audit.k8s.io/v1");
        assertThat(json.path("items").size()).isEqualTo(3);
        assertThat(ctl("audit", "-o", "yaml").out()).contains("kind: EventList");
        assertThat(ctl("audit", "-o", "jsonl").out().lines())
                .hasSize(3)
                .allMatch(
                        line ->
                                Json.MAPPER
                                        .readTree(line)
                                        .path("kind")
                                        .asString("")
                                        .equals("Event"));
        assertThat(ctl("audit", "-o", "xml").exitCode()).isEqualTo(2);
    }

    @Test
    void pagesOfTheListFollowEachOther() {
        String path = "/apis/orloj.dev/v1/auditevents?limit=2";
        JsonNode first = orlojd.client().get(path).expect(200).body();
        String next = first.at("/metadata/continue").asString("");
        JsonNode second = orlojd.client().get(path + "&continue=" + next).expect(200).body();

        assertThat(first.path("items").size()).isEqualTo(2);
        assertThat(second.at("/items/0/objectRef/name").asString("")).isEqualTo("one");
        assertThat(orlojd.client().get(path + "&continue=x").code()).isEqualTo(400);
        assertThat(orlojd.client().get(path + "&since=yesterday").code()).isEqualTo(400);
    }

    @Test
    void wholeLogVerifiesWithAndWithoutAServer() throws Exception {
        String checkpoint = saved("checkpoint.json", "audit", "checkpoint");
        String export = saved("audit.jsonl", "audit", "export");

        assertThat(ctl("audit", "verify").out()).contains("is whole: events 1 to 3");
        assertThat(ctl("audit", "verify").err()).contains("Without a --checkpoint");
        assertThat(ctl("audit", "verify", "--checkpoint", checkpoint).err()).isEmpty();
        assertThat(ctl("audit", "verify", export, "--checkpoint", checkpoint).exitCode()).isZero();
        assertThat(ctl("audit", "verify", "--checkpoint", export).err())
                .contains("is no checkpoint");
        assertThat(ctl("audit", "verify", "absent.jsonl").exitCode()).isEqualTo(1);
    }

    @Test
    void changedExportIsFound() throws Exception {
        String export = saved("audit.jsonl", "audit", "export");
        String changed =
                Files.writeString(
                                folder.resolve("changed.jsonl"),
                                Files.readString(Path.of(export)).replace("\"two\"", "\"six\""))
                        .toString();
        String cut =
                Files.write(
                                folder.resolve("cut.jsonl"),
                                Files.readAllLines(Path.of(export)).subList(0, 2))
                        .toString();

        OrlojctlRun run = ctl("audit", "verify", changed);
        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.err()).isEqualTo("orlojctl: event 2 was changed\n");
        assertThat(ctl("audit", "verify", cut).exitCode()).isZero();
        assertThat(ctl("audit", "verify", cut, "--checkpoint", lastLine(export)).err())
                .contains("the newest events were removed");
    }

    private String lastLine(String file) throws IOException {
        String last = Files.readAllLines(Path.of(file)).getLast();
        return Files.writeString(folder.resolve("last.json"), last).toString();
    }

    /** Mistake 20: a user with access to the database removes the newest rows. */
    @Test
    void newestRowsThatWereRemovedAreFoundByAKeptCheckpoint() throws Exception {
        String checkpoint = saved("checkpoint.json", "audit", "checkpoint");
        jdbc.sql("DELETE FROM audit_event WHERE sequence = 3").update();

        assertThat(ctl("audit", "verify").exitCode()).isEqualTo(5);

        jdbc.sql(
                        "UPDATE audit_head SET sequence = 2, hash ="
                                + " (SELECT hash FROM audit_event WHERE sequence = 2)")
                .update();
        assertThat(ctl("audit", "verify").exitCode()).isZero();
        OrlojctlRun found = ctl("audit", "verify", "--checkpoint", checkpoint);
        assertThat(found.exitCode()).isEqualTo(5);
        assertThat(found.err()).contains("the log ends with event 2").contains("names event 3");
    }

    @Test
    void emptyLogVerifies() {
        jdbc.sql("DELETE FROM audit_event").update();
        jdbc.sql("UPDATE audit_head SET sequence = 0, hash = repeat('0', 64)").update();

        assertThat(ctl("audit", "verify").out()).isEqualTo("The audit log has no events.\n");
        assertThat(ctl("audit", "export").out().lines()).hasSize(1);
    }
}
