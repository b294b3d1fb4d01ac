package dev.orloj.server.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An orlojd that starts on what the one of commit 7f6cda3 left behind. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UpgradeTest {

    private static final String TOOLS = RestClient.collection("team", "tools") + "/";
    private static final String SERVERS = RestClient.collection("team", "mcpservers") + "/";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/team/configmaps";
    private static final Duration AGES = Duration.ofDays(36_500);

    private LeftData left;
    private TestPostgres.Database database;
    private RunningOrlojd orlojd;
    private RestClient client;

    @BeforeAll
    void startOnWhatWasLeft(@TempDir Path folder) throws Exception {
        left = LeftData.of("7f6cda3");
        database = left.restore();
        Path data = left.dataDirectory(folder);
        orlojd =
                RunningOrlojd.start(
                        database,
                        Map.of(
                                "orloj.data-dir", data,
                                "orloj.secrets.key-file", data.resolve("secret.key"),
                                "orloj.calls.kept", AGES,
                                "orloj.controllers.event-ttl", AGES));
        client = orlojd.client();
        orlojd.awaitReady("team", "live");
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
    }

    @Test
    void everyResourceIsAsItWas() {
        int compared = 0;
        for (Map.Entry<String, JsonNode> reported : left.answers().entrySet()) {
            if (!reported.getKey().contains("/calls/")) {
                JsonNode now = client.get(reported.getKey()).expect(200).body();
                assertThat(ofItsOwner(now))
                        .as(reported.getKey())
                        .isEqualTo(ofItsOwner(reported.getValue()));
                compared++;
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(17);
    }

    /** Without what orlojd writes, which goes on. */
    private static JsonNode ofItsOwner(JsonNode document) {
        ObjectNode own = (ObjectNode) document.deepCopy();
        own.remove("status");
        ((ObjectNode) own.path("metadata")).remove(List.of("resourceVersion", "managedFields"));
        return own;
    }

    @Test
    void secretsAndConfigMapsReachTheServer() {
        JsonNode result = client.call("team", "live--token", "{}").expect(200).body();

        assertThat(result.at("/content/0/text").asString())
                .isEqualTo("s3cret-of-the-upgrade hello");
    }

    @Test
    void keptCallsAreAsTheyWere() {
        int compared = 0;
        for (Map.Entry<String, JsonNode> reported : left.answers().entrySet()) {
            if (reported.getKey().contains("/calls/") && !isRunning(reported.getValue())) {
                assertThat(client.get(reported.getKey()).expect(200).body())
                        .as(reported.getKey())
                        .isEqualTo(reported.getValue());
                compared++;
            }
        }
        assertThat(compared).isEqualTo(3);
    }

    private static boolean isRunning(JsonNode call) {
        return call.path("state").asString("").equals("Running");
    }

    @Test
    void callThatWasUnderWayEndsAsFailed() {
        String path =
                left.answers().entrySet().stream()
                        .filter(reported -> isRunning(reported.getValue()))
                        .findFirst()
                        .orElseThrow()
                        .getKey();

        await().atMost(Duration.ofSeconds(60))
                .until(() -> !isRunning(client.get(path).expect(200).body()));
        JsonNode call = client.get(path).body();
        assertThat(call.path("state").asString()).isEqualTo("Failed");
        assertThat(call.at("/error/message").asString()).contains("may have been carried out");
    }

    @Test
    void idempotencyKeysAreStillTaken() throws Exception {
        HttpResponse<String> again = withKey("{\"arguments\": {\"n\": 1}}");
        HttpResponse<String> other = withKey("{\"arguments\": {\"n\": 2}}");

        assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
        assertThat(again.headers().firstValue("Orloj-Call-Id")).get().asString().startsWith("vm-");
        assertThat(other.statusCode()).as(other.body()).isEqualTo(422);
    }

    private HttpResponse<String> withKey(String body) throws Exception {
        return send(
                HttpRequest.newBuilder(URI.create(client.url() + TOOLS + "live--token/call"))
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", "upgrade")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build());
    }

    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    @Timeout(120)
    void watchFromAnOldVersionGoesOn() throws Exception {
        List<String> events = watch(left.version(), 3);

        assertThat(events)
                .containsExactly("MODIFIED settings", "ADDED short-lived", "DELETED short-lived");
    }

    @Test
    void watchFromBeforeTheLogHasExpired() {
        String answer = client.get(CONFIG_MAPS + "?watch=1&resourceVersion=5").text();

        assertThat(answer).contains("\"code\":410").contains("\"Expired\"");
    }

    /** Type and name of each of the first events; ends the watch when it has them. */
    private List<String> watch(String version, int count) throws Exception {
        String path = CONFIG_MAPS + "?watch=1&resourceVersion=" + version;
        HttpRequest request = HttpRequest.newBuilder(URI.create(client.url() + path)).build();
        try (HttpClient http = HttpClient.newHttpClient();
                Stream<String> lines =
                        http.send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
            return lines.limit(count).map(UpgradeTest::event).toList();
        }
    }

    private static String event(String line) {
        JsonNode event = Json.MAPPER.readTree(line);
        return event.path("type").asString() + " " + event.at("/object/metadata/name").asString("");
    }

    @Test
    void ownersOfFieldsAreStillKnown() {
        RestClient.Answer before = client.get(SERVERS + "remote").expect(200);
        List<String> managers =
                before.body()
                        .at("/metadata/managedFields")
                        .valueStream()
                        .map(entry -> entry.path("manager").asString())
                        .toList();

        assertThat(managers).contains("orlojctl", "other");
    }

    @Test
    void writesGoOn() {
        client.patch(SERVERS + "contained", "{\"metadata\": {\"labels\": {\"a\": \"b\"}}}")
                .expect(200);
        client.patch(SERVERS + "contained", "{\"metadata\": {\"labels\": {\"a\": null}}}")
                .expect(200);
        client.patch(TOOLS + "declared", "{\"metadata\": {\"labels\": {\"a\": \"b\"}}}")
                .expect(200);
        client.patch(TOOLS + "declared", "{\"metadata\": {\"labels\": null}}").expect(200);
    }
}
