package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.server.postgres.TestPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What the audit log has of users, and what happens when it cannot be written. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("19, item 8: the audit log names users, and refusals are in it")
class AuditOfUsersTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @TempDir static Path data;

    private TestPostgres.Database database;
    private HttpsOrlojd orlojd;

    @BeforeAll
    void start() throws Exception {
        database = TestPostgres.freshDatabase();
        orlojd = HttpsOrlojd.start(database, data, Map.of("orloj.audit.failure-policy", "fail"));
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
    }

    private List<String> events() {
        return database.jdbc()
                .sql("SELECT event FROM audit_event ORDER BY sequence")
                .query(String.class)
                .list();
    }

    private JsonNode awaitEvent(String... parts) {
        return await().atMost(TIMEOUT)
                .until(
                        () ->
                                events().stream()
                                        .filter(
                                                event ->
                                                        List.of(parts).stream()
                                                                .allMatch(event::contains))
                                        .map(Json.MAPPER::readTree)
                                        .findFirst(),
                        java.util.Optional::isPresent)
                .orElseThrow();
    }

    @Test
    void refusedUserIsNamedWithItsCredential() throws Exception {
        assertThat(orlojd.user("ann", "web").code("DELETE", MAPS + "/refused")).isEqualTo(403);

        JsonNode event = awaitEvent("\"name\":\"refused\"");
        assertThat(event.at("/user/username").asString("")).isEqualTo("ann");
        assertThat(event.at("/user/groups").toString()).contains("\"web\"");
        assertThat(event.at("/user/extra").toString()).contains("X509SHA256=");
        assertThat(event.at("/responseStatus/code").asInt()).isEqualTo(403);
        assertThat(event.at("/responseStatus/reason").asString("")).isEqualTo("Forbidden");
    }

    @Test
    void readsThatAreRefusedAreInTheLog() throws Exception {
        assertThat(orlojd.user("bob").get(MAPS).code()).isEqualTo(403);
        assertThat(orlojd.bearer("no-such-token").get("/api/v1/secrets").code()).isEqualTo(401);

        assertThat(awaitEvent("\"username\":\"bob\"").path("verb").asString("")).isEqualTo("list");
        JsonNode unknown = awaitEvent("\"code\":401", "/api/v1/secrets");
        assertThat(unknown.at("/user/username").asString("")).isEqualTo("system:anonymous");
        assertThat(events()).noneMatch(event -> event.contains("no-such-token"));
    }

    @Test
    void userWhoActsAsAnotherOneIsNamedToo() throws Exception {
        HttpsClient.Answer answer =
                orlojd.owner().send("DELETE", MAPS + "/absent", "", "Impersonate-User", "carl");
        assertThat(answer.code()).isEqualTo(403);

        JsonNode event = awaitEvent("\"impersonatedUser\":{\"username\":\"carl\"");
        assertThat(event.at("/user/groups").toString()).contains("orloj:administrators");
    }

    @Test
    void newTokenIsInTheLogWithoutItsText() throws Exception {
        HttpsClient.Answer created =
                orlojd.owner()
                        .post(
                                "/apis/orloj.dev/v1/usertokens",
                                "{\"metadata\": {\"name\": \"audited\"}, \"spec\": {\"user\":"
                                        + " \"ann\"}}");
        assertThat(created.code()).as(created.text()).isEqualTo(201);
        String token = created.json().at("/status/token").asString("");

        JsonNode event = awaitEvent("\"resource\":\"usertokens\"", "\"name\":\"audited\"");
        assertThat(event.path("verb").asString("")).isEqualTo("create");
        assertThat(token).isNotEmpty();
        assertThat(events()).noneMatch(text -> text.contains(token));
    }

    /** Nothing is done that is not in the log, if the policy is to fail; reads go on. */
    @Test
    void writesAndCallsAreRefusedWhileTheLogCannotBeWritten() throws Exception {
        HttpsClient owner = orlojd.owner();
        database.jdbc().sql("ALTER TABLE audit_head RENAME TO away").update();
        try {
            await().atMost(TIMEOUT).until(() -> owner.code("DELETE", MAPS + "/lost") == 503);
            HttpsClient.Answer refused =
                    owner.post(MAPS, "{\"metadata\": {\"name\": \"never-made\"}}");
            assertThat(refused.code()).isEqualTo(503);
            assertThat(refused.message()).contains("--audit-failure-policy", "nothing was done");
            assertThat(owner.code("POST", "/apis/orloj.dev/v1/namespaces/default/tools/x/call"))
                    .isEqualTo(503);
            assertThat(owner.get(MAPS).text()).doesNotContain("never-made");
            assertThat(owner.get("/metrics").text())
                    .contains("orloj_audit_writable 0.0", "orloj_audit_refusals_total");
        } finally {
            database.jdbc().sql("ALTER TABLE away RENAME TO audit_head").update();
        }
        await().atMost(TIMEOUT).until(() -> owner.code("DELETE", MAPS + "/found") == 404);
        awaitEvent("\"name\":\"lost\"", "\"code\":404");
    }
}
