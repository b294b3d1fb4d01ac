package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.orloj.api.codec.Json;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.CuttingProxy;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RestClient.Answer;
import dev.orloj.server.testing.RunningOrlojd;
import dev.orloj.server.testing.TracingServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * What clients see of a database that goes away, breaks off, or cannot write. Each test has a
 * database and an orlojd of its own, so those that wait for a limit do so beside the others.
 */
@Timeout(180)
class DatabaseOutageTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String SECRETS = RestClient.collection("default", "secrets");
    private static final String HOLD = "SELECT pg_advisory_lock(4711)";
    private static final String HELD_SECRET =
            "NEW.kind = 'secrets.orloj.dev' AND NEW.name = 'held'";
    private static final String SLOW_CALL =
            RestClient.collection("default", "tools") + "/one--slow/call";

    /** Of a test that waits until the limit of a response of the database has passed. */
    private static final String WAITS = "waits";

    @TempDir private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private TestPostgres.Database database;
    private CuttingProxy way;
    private RunningOrlojd orlojd;
    private RestClient client;
    private TracingServer server;

    @BeforeEach
    void start(TestInfo test) throws Exception {
        database = TestPostgres.freshDatabase();
        String url = RunningOrlojd.url(database.direct());
        way = new CuttingProxy(url.substring("jdbc:".length()));
        String port = ":" + database.direct().getPortNumbers()[0];
        orlojd =
                RunningOrlojd.start(
                        database,
                        Map.of(
                                "orloj.database.url",
                                url.replace(port, ":" + URI.create(way.url()).getPort()),
                                "orloj.database.socket-timeout",
                                test.getTags().contains(WAITS) ? "5s" : "10s"));
        client = orlojd.client();
        server = TracingServer.in(folder);
        client.create("default", "mcpservers", server.manifest());
        await().atMost(TIMEOUT).until(() -> client.call("default", "one--who", "{}").code() == 200);
    }

    @AfterEach
    void stop() throws Exception {
        way.unblock();
        orlojd.close();
        way.close();
        database.close();
    }

    private static Map<String, Object> secret(String name) {
        return Map.of(
                "apiVersion",
                "orloj.dev/v1",
                "kind",
                "Secret",
                "metadata",
                Map.of("name", name),
                "spec",
                Map.of("stringData", Map.of("value", "x")));
    }

    /** Begins a call of some seconds that no client waits for; returns where its answer is. */
    private String beginSlowCall(double seconds) throws Exception {
        HttpResponse<String> begun =
                http.send(
                        HttpRequest.newBuilder(URI.create(client.url() + SLOW_CALL))
                                .header("Content-Type", "application/json")
                                .header("Prefer", "respond-async")
                                .POST(
                                        HttpRequest.BodyPublishers.ofString(
                                                "{\"arguments\": {\"seconds\": " + seconds + "}}"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(begun.statusCode()).as(begun.body()).isEqualTo(202);
        await().atMost(TIMEOUT).until(() -> server.trace("began").size() == 1);
        return begun.headers().firstValue("Location").orElseThrow();
    }

    private HttpResponse<String> askAsAgent(String path, String method, String members)
            throws Exception {
        String body =
                """
                {"jsonrpc": "2.0", "id": 1, "method": "%s", "params": {%s "_meta":
                  {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                   "io.modelcontextprotocol/clientCapabilities": {}}}}
                """
                        .formatted(method, members);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(client.url() + path))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", "2026-07-28")
                        .header("Mcp-Method", method)
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        if (method.equals("tools/call")) {
            request.header("Mcp-Name", "one__who");
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static void assertAway(Answer answer) {
        assertThat(answer.code()).isEqualTo(503);
        assertThat(answer.body().path("kind").asString()).isEqualTo("Status");
        assertThat(answer.body().path("reason").asString()).isEqualTo("ServiceUnavailable");
        assertThat(answer.body().at("/details/retryAfterSeconds").asInt()).isPositive();
        assertThat(answer.text())
                .contains(
                        "the database cannot be reached", "works again as soon as PostgreSQL does")
                .doesNotContain("SELECT", "INSERT");
    }

    @Test
    @Execution(CONCURRENT)
    void whatNeedsTheDatabaseIsRefusedForNowAndTheRestGoesOn() throws Exception {
        String call = beginSlowCall(1);
        way.block();
        // Both wait for a connection to the database, as long as a request may.
        CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> client.get(SECRETS));
        await().atMost(TIMEOUT)
                .until(() -> client.get("/readyz").text().contains("cannot be reached"));
        assertThat(first.get().code()).isEqualTo(503);

        CompletableFuture<Answer> get = CompletableFuture.supplyAsync(() -> client.get(SECRETS));
        CompletableFuture<Answer> create =
                CompletableFuture.supplyAsync(() -> client.post(SECRETS, secret("a")));
        CompletableFuture<HttpResponse<String>> agent =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return askAsAgent("/mcp/nowhere", "tools/list", "");
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        });
        client.call("default", "one--who", "{}").expect(200);
        assertThat(askAsAgent("/mcp/default", "tools/call", "\"name\": \"one__who\",").body())
                .contains("\"text\"");

        assertAway(get.get());
        assertAway(create.get());
        assertThat(agent.get().statusCode()).isEqualTo(503);
        assertThat(Json.MAPPER.readTree(agent.get().body()).at("/error/message").asString())
                .contains("the store has not responded", "try again");
        client.get("/readyz").expect(503);
        client.get("/healthz").expect(200);

        await().atMost(TIMEOUT).until(() -> server.trace("finished").size() == 1);
        way.unblock();

        await().atMost(TIMEOUT).until(() -> client.get("/readyz").code() == 200);
        client.get(SECRETS + "/a").expect(404);
        client.post(SECRETS, secret("a")).expect(201);
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () ->
                                assertThat(client.get(call).body().path("state").asString())
                                        .isEqualTo("Completed"));
    }

    @Test
    void watchGoesOnWhereItWas() throws Exception {
        HttpResponse<java.io.InputStream> watch =
                http.send(
                        HttpRequest.newBuilder(
                                        URI.create(
                                                client.url()
                                                        + SECRETS
                                                        + "?watch=1&resourceVersion="
                                                        + client.get(SECRETS)
                                                                .body()
                                                                .at("/metadata/resourceVersion")
                                                                .asString()))
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        way.block();
        way.unblock();
        await().atMost(TIMEOUT).until(() -> client.post(SECRETS, secret("a")).code() != 503);

        try (BufferedReader events =
                new BufferedReader(new InputStreamReader(watch.body(), StandardCharsets.UTF_8))) {
            JsonNode event = Json.MAPPER.readTree(events.readLine());
            assertThat(event.path("type").asString()).isEqualTo("ADDED");
            assertThat(event.at("/object/metadata/name").asString()).isEqualTo("a");
        }
    }

    /** It is unknown whether it was written, so no client is asked to try again. */
    @Test
    void writeThatBreaksOffIsNotSaidToHaveFailed() throws Exception {
        Answer answer = createWhile(way::cut).expect(503);

        assertThat(answer.text())
                .contains("the connection to the database broke off", "may have been written");
        assertThat(answer.body().at("/details/retryAfterSeconds").asInt()).isZero();
        // In this case it was.
        await().atMost(TIMEOUT).until(() -> client.get(SECRETS + "/held").code() == 200);
    }

    /** As when a host loses its network: nothing reports that the connections are gone. */
    @Test
    @Tag(WAITS)
    @Execution(CONCURRENT)
    void requestThatTheDatabaseDoesNotAnswerEnds() throws Exception {
        assertThat(createWhile(way::silence).expect(503).text())
                .contains("the connection to the database broke off", "may have been written");
        await().atMost(TIMEOUT).until(() -> client.get(SECRETS + "/held").code() == 200);
    }

    @Test
    @Tag(WAITS)
    @Execution(CONCURRENT)
    void statementThatTakesTooLongIsGivenUpByTheDatabaseItself() throws Exception {
        holdInserts("resource", HELD_SECRET);
        try (Connection holder = database.direct().getConnection();
                Statement statement = holder.createStatement()) {
            statement.execute(HOLD);

            Answer answer = client.post(SECRETS, secret("held")).expect(503);

            assertThat(answer.text())
                    .contains("the database takes too long", "nothing was changed");
            assertThat(answer.body().at("/details/retryAfterSeconds").asInt()).isPositive();
            // One that waits for a lock says nothing of all the others.
            client.get("/readyz").expect(200);
        }
        client.get(SECRETS + "/held").expect(404);
    }

    /** Linux shows the timers of a socket in the sixth column of /proc/net/tcp. */
    @Test
    void databaseLooksEveryFewSecondsWhetherOurHostIsThere() throws Exception {
        List<Integer> ours =
                database.jdbc()
                        .sql(
                                "SELECT client_port FROM pg_stat_activity WHERE application_name ="
                                        + " 'orlojd' AND datname = current_database()")
                        .query(Integer.class)
                        .list();

        assertThat(ours).hasSizeGreaterThanOrEqualTo(3); // to listen, to lead, and of the pool
        for (int port : ours) {
            // Right after an answer, the timer is that of its acknowledgement.
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () ->
                                    assertThat(socketTimer(port)) // keepalive, within 5.12 seconds
                                            .matches("02:00000[01][0-9A-F]{2}"));
        }
    }

    private String socketTimer(int client) throws IOException {
        Pattern ends =
                Pattern.compile(
                        " [0-9A-F]+:%04X [0-9A-F]+:%04X "
                                .formatted(database.direct().getPortNumbers()[0], client));
        return Files.readAllLines(Path.of("/proc/net/tcp")).stream()
                .filter(line -> ends.matcher(line).find())
                .map(line -> line.strip().split("\\s+")[5])
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Execution(CONCURRENT)
    void changesAreListenedForAgainWhenTheConnectionFellSilent() {
        String silentSince = database.jdbc().sql("SELECT now()::text").query(String.class).single();
        way.silence();

        await().atMost(TIMEOUT)
                .until(
                        () ->
                                database.jdbc()
                                                .sql(
                                                        "SELECT count(*) FROM pg_stat_activity"
                                                            + " WHERE datname = current_database()"
                                                            + " AND query LIKE 'LISTEN %' AND"
                                                            + " backend_start > ?::timestamptz")
                                                .param(silentSince)
                                                .query(Integer.class)
                                                .single()
                                        == 1);
    }

    /** The record of the call is in the database then, and no replica makes the call. */
    @Test
    void callWhoseBeginningBreaksOffIsNotMadeAndItsKeyIsGoodForAnotherTry() throws Exception {
        holdInserts("tool_call", "true");
        CompletableFuture<HttpResponse<String>> broken;
        try (Connection holder = database.direct().getConnection();
                Statement statement = holder.createStatement()) {
            statement.execute(HOLD);
            broken = http.sendAsync(keyedCall(), HttpResponse.BodyHandlers.ofString());
            await().atMost(TIMEOUT).until(this::callIsWaiting);
            way.cut();
        }

        assertThat(broken.get().statusCode()).isEqualTo(503);
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                http.send(keyedCall(), HttpResponse.BodyHandlers.ofString())
                                                .statusCode()
                                        == 200);
        assertThat(server.trace("began")).hasSize(1);
    }

    /** Creates the Secret {@code held}, and lets something happen before that is done. */
    private Answer createWhile(Runnable event) throws Exception {
        holdInserts("resource", HELD_SECRET);
        CompletableFuture<Answer> create;
        try (Connection holder = database.direct().getConnection();
                Statement statement = holder.createStatement()) {
            statement.execute(HOLD);
            create = CompletableFuture.supplyAsync(() -> client.post(SECRETS, secret("held")));
            await().atMost(TIMEOUT).until(this::callIsWaiting);
            event.run();
        }
        return create.get();
    }

    /** Rows of a table are not inserted while another connection has run {@link #HOLD}. */
    private void holdInserts(String table, String condition) throws SQLException {
        execute(
                """
                CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                  PERFORM pg_advisory_xact_lock(4711);
                  RETURN NEW;
                END $$;
                CREATE TRIGGER hold BEFORE INSERT ON %s FOR EACH ROW
                  WHEN (%s) EXECUTE FUNCTION hold();
                """
                        .formatted(table, condition));
    }

    private boolean callIsWaiting() {
        return database.jdbc()
                        .sql(
                                "SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid ="
                                        + " database WHERE datname = current_database() AND"
                                        + " locktype = 'advisory' AND objid = 4711 AND NOT granted")
                        .query(Integer.class)
                        .single()
                > 0;
    }

    @ParameterizedTest
    @CsvSource({
        "53100, could not extend file: No space left on device, 500, InternalError, make room",
        "53200, out of memory, 500, InternalError, see the log of PostgreSQL",
        "25006, cannot execute INSERT in a read-only transaction, 503, ServiceUnavailable, no"
                + " standby",
    })
    void databaseThatCannotWriteIsSaidToBeWhatItIs(
            String state, String said, int code, String reason, String remedy) throws Exception {
        execute(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                  RAISE EXCEPTION USING ERRCODE = '%s', MESSAGE = '%s';
                END $$;
                CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON resource FOR EACH ROW
                  EXECUTE FUNCTION refuse();
                CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON tool_call FOR EACH ROW
                  EXECUTE FUNCTION refuse();
                """
                        .formatted(state, said));

        Answer create = client.post(SECRETS, secret("a")).expect(code);
        assertThat(create.body().path("reason").asString()).isEqualTo(reason);
        assertThat(create.body().path("message").asString())
                .contains("the database", said, "nothing was changed", remedy);
        assertThat(create.body().at("/details/retryAfterSeconds").asInt() > 0)
                .isEqualTo(code == 503);
        assertThat(client.get("/readyz").expect(503).text()).contains(said);
        client.get(SECRETS).expect(200);
        client.call("default", "one--who", "{}").expect(200);
        assertKeyedCallIsRefusedUnmade(code, said);

        execute("DROP TRIGGER refuse ON resource; DROP TRIGGER refuse ON tool_call");

        client.post(SECRETS, secret("a")).expect(201);
        client.get("/readyz").expect(200);
    }

    private void assertKeyedCallIsRefusedUnmade(int code, String said) throws Exception {
        HttpResponse<String> keyed = http.send(keyedCall(), HttpResponse.BodyHandlers.ofString());
        assertThat(keyed.statusCode()).isEqualTo(code);
        assertThat(keyed.body()).contains(said);
        assertThat(server.trace("began")).isEmpty();
    }

    private HttpRequest keyedCall() {
        return HttpRequest.newBuilder(URI.create(client.url() + SLOW_CALL))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "key")
                .POST(HttpRequest.BodyPublishers.ofString("{\"arguments\": {\"seconds\": 0}}"))
                .build();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.direct().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
