package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.server.mcp.methods.ServedMethod;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.TracingServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * I-04: every method of MCP for every kind of user, in every revision. The methods are those that
 * the server serves: a new one without an entry in the table here fails.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class McpMethodsMatrixTest {

    /**
     * In the order of the letters in the table: no role, of another namespace, view, caller of one
     * tool, caller, edit, admin, owner.
     */
    private static final String EVERY_USER = "NXVTCEAO";

    /** Those who may use something of the server. */
    private static final String ANY_RIGHT = "TCEAO";

    private static final String CONNECT = "CEAO";
    private static final String SERVER = "/mcp/default/mcpservers/one";

    /**
     * @param params at the endpoint of the namespace
     * @param list the member of a list, which has something for some users; empty for others
     * @param users who get something
     */
    private record Row(String params, String list, String users) {}

    private static final String PROMPT = "{\"name\": \"one__p\"}";
    private static final String RESOURCE = "{\"uri\": \"orloj+one+file:///r\"}";

    private static final Map<ServedMethod, List<Row>> ROWS =
            Map.ofEntries(
                    Map.entry(ServedMethod.INITIALIZE, open("{}")),
                    Map.entry(ServedMethod.PING, open("{}")),
                    Map.entry(ServedMethod.SET_LOG_LEVEL, open("{\"level\": \"info\"}")),
                    Map.entry(ServedMethod.DISCOVER, open("{}")),
                    Map.entry(ServedMethod.SUBSCRIBE, item(RESOURCE, CONNECT)),
                    Map.entry(ServedMethod.UNSUBSCRIBE, item(RESOURCE, CONNECT)),
                    Map.entry(
                            ServedMethod.LISTEN,
                            item(
                                    "{\"notifications\": {\"resourceSubscriptions\":"
                                            + " [\"orloj+one+file:///r\"]}}",
                                    CONNECT)),
                    Map.entry(ServedMethod.LIST_TOOLS, list("tools", ANY_RIGHT)),
                    Map.entry(
                            ServedMethod.CALL_TOOL,
                            List.of(
                                    new Row("{\"name\": \"one__who\"}", "", ANY_RIGHT),
                                    new Row("{\"name\": \"one__meta\"}", "", CONNECT))),
                    Map.entry(ServedMethod.LIST_PROMPTS, list("prompts", CONNECT)),
                    Map.entry(ServedMethod.GET_PROMPT, item(PROMPT, CONNECT)),
                    Map.entry(ServedMethod.LIST_RESOURCES, list("resources", CONNECT)),
                    Map.entry(ServedMethod.LIST_TEMPLATES, list("resourceTemplates", CONNECT)),
                    Map.entry(ServedMethod.READ_RESOURCE, item(RESOURCE, CONNECT)),
                    Map.entry(
                            ServedMethod.COMPLETE,
                            item(
                                    "{\"ref\": {\"type\": \"ref/prompt\", \"name\": \"one__p\"},"
                                            + " \"argument\": {\"name\": \"a\", \"value\": \"\"}}",
                                    CONNECT)));

    @TempDir static Path data;
    @TempDir static Path folder;

    private final Map<Character, HttpsClient> users = new TreeMap<>();
    private TestPostgres.Database database;
    private HttpsOrlojd orlojd;

    private static List<Row> open(String params) {
        return List.of(new Row(params, "", EVERY_USER));
    }

    private static List<Row> item(String params, String users) {
        return List.of(new Row(params, "", users));
    }

    private static List<Row> list(String member, String users) {
        return List.of(new Row("{}", member, users));
    }

    @BeforeAll
    void start() throws Exception {
        database = TestPostgres.freshDatabase();
        orlojd = HttpsOrlojd.start(database, data, Map.of());
        orlojd.orlojd()
                .client()
                .create("default", "mcpservers", TracingServer.in(folder).manifest());
        orlojd.orlojd().createNamespace("other");
        orlojd.bind("stranger", "admin", "other");
        orlojd.grant("one", "call", "tools", "one--who");
        Map<Character, String> names =
                Map.of('N', "none", 'X', "stranger", 'V', "view", 'T', "one", 'C', "caller");
        for (Map.Entry<Character, String> name : names.entrySet()) {
            users.put(name.getKey(), orlojd.user(name.getValue()));
        }
        users.put('E', orlojd.user("edit"));
        users.put('A', orlojd.user("admin"));
        users.put('O', orlojd.owner());
        for (String role : List.of("view", "caller", "edit", "admin")) {
            orlojd.bind(role, role);
        }
        await().atMost(Duration.ofSeconds(60))
                .until(
                        () ->
                                tools('O') == 7
                                        && tools('C') == 7
                                        && tools('E') == 7
                                        && tools('A') == 7
                                        && tools('T') == 1
                                        && new McpUser(users.get('A'), "/mcp")
                                                        .list("prompts", "name")
                                                        .size()
                                                == 1);
    }

    private int tools(char user) throws IOException, InterruptedException {
        return new McpUser(users.get(user), "/mcp").tools().size();
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
    }

    @Test
    void everyMethodOfTheServerIsInTheTable() {
        assertThat(ROWS.keySet()).isEqualTo(Set.of(ServedMethod.values()));
    }

    @Test
    void everyMethodServesThoseOfTheTable() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (String version : ProtocolRevision.streamableHttp()) {
            for (Map.Entry<Character, HttpsClient> user : users.entrySet()) {
                check(version, user.getKey(), new McpUser(user.getValue(), "/mcp"), wrong);
                check(version, user.getKey(), new McpUser(user.getValue(), SERVER), wrong);
            }
        }

        assertThat(wrong).isEmpty();
    }

    private static void check(String version, char letter, McpUser user, List<String> wrong)
            throws Exception {
        boolean isStateless = version.equals(ProtocolRevision.V2026_07_28.version());
        boolean isHidden = user.path().equals(SERVER) && ANY_RIGHT.indexOf(letter) < 0;
        if (isHidden && !isStateless) {
            if (user.client().post(SERVER, "{}").code() != 404) {
                wrong.add("%s knows the server".formatted(letter));
            }
            return;
        }
        McpUser ready = isStateless ? user : user.initialized(version);
        for (ServedMethod method : ServedMethod.values()) {
            boolean exists = isStateless ? method.isStatelessToo() : method.isOfSessions();
            if (!exists || method == ServedMethod.INITIALIZE) {
                continue;
            }
            for (Row row : ROWS.get(method)) {
                boolean isServed = !isHidden && row.users().indexOf(letter) >= 0;
                JsonNode answer = answer(ready, method, row);
                if (isServed != gets(answer, row) || !isServed && !isRefused(answer, row)) {
                    wrong.add(
                            "%s %s %s of %s as %s: %s"
                                    .formatted(
                                            version,
                                            method.text(),
                                            row.params(),
                                            user.path(),
                                            letter,
                                            answer));
                }
            }
        }
    }

    private static JsonNode answer(McpUser user, ServedMethod method, Row row) throws Exception {
        String params =
                user.path().equals(SERVER)
                        ? row.params().replace("one__", "").replace("orloj+one+", "")
                        : row.params();
        if (method != ServedMethod.LISTEN) {
            return McpUser.message(user.ask(method.text(), params));
        }
        try (BufferedReader stream = user.open(method.text(), params)) {
            String first = stream.readLine();
            while (first.startsWith(":") || first.startsWith("event") || first.isBlank()) {
                first = stream.readLine();
            }
            return dev.orloj.api.codec.Json.MAPPER.readTree(first.replaceFirst("^data: ", ""));
        }
    }

    private static boolean gets(JsonNode answer, Row row) {
        return row.list().isEmpty()
                ? answer.has("result") || answer.has("method")
                : !answer.path("result").path(row.list()).isEmpty();
    }

    /** An empty list, what is absent, or an endpoint that is absent; no failure. */
    private static boolean isRefused(JsonNode answer, Row row) {
        JsonNode error = answer.path("error");
        return error.isMissingNode()
                ? !row.list().isEmpty() && answer.has("result")
                : error.path("message").asString().startsWith("Unknown: ")
                        || error.path("message").asString().startsWith("There is no such endpoint")
                        || error.path("code").asInt() == -32601;
    }
}
