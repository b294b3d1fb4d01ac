package dev.orloj.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.server.fuzz.FuzzClient.Answer;
import dev.orloj.server.fuzz.FuzzClient.Request;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Every method of MCP in every revision, each member of its message replaced by wrong values, in an
 * order that a seed makes. Again: {@code -Dorloj.fuzz.seed=7 -Dorloj.fuzz.requests=100000}.
 */
@DisplayName("H-15: fuzz of /mcp")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class McpFuzzTest {

    private static final long SEED = Long.getLong("orloj.fuzz.seed", 20_261_122);
    private static final int MAX_REQUESTS = Integer.getInteger("orloj.fuzz.requests", 4_000) / 4;

    private static final String STATELESS = "2026-07-28";
    private static final String VERSION = "MCP-Protocol-Version";
    private static final List<String> DOORS = List.of("/mcp/default", "/mcp");

    private static final List<String> HEADER_VALUES =
            List.of(
                    "",
                    "a",
                    "-1",
                    "99999999999999999999",
                    "2024-11-05",
                    "2025-11-25",
                    STATELESS,
                    "2099-01-01",
                    "tools/call",
                    "text/plain; charset=nothing",
                    "application/json; charset=utf-16",
                    "*/*;q=x",
                    "=?base64?!!!?=",
                    "=?base64?/w==?=",
                    "\u00e9",
                    "..%2f..",
                    "x".repeat(4_000));

    /** Those that end, with params that are right; a stream of notifications would not end. */
    private static final Map<String, String> METHODS =
            Map.ofEntries(
                    Map.entry("initialize", "{\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}}"),
                    Map.entry("server/discover", "{}"),
                    Map.entry("ping", "{}"),
                    Map.entry("tools/list", "{\"cursor\":\"a\"}"),
                    Map.entry(
                            "tools/call",
                            "{\"name\":\"every__add\",\"arguments\":{\"a\":1,\"b\":2.5}}"),
                    Map.entry("prompts/list", "{\"cursor\":\"a\"}"),
                    Map.entry(
                            "prompts/get",
                            "{\"name\":\"every__greet\",\"arguments\":{\"whom\":\"a\"}}"),
                    Map.entry("resources/list", "{\"cursor\":\"a\"}"),
                    Map.entry("resources/templates/list", "{\"cursor\":\"a\"}"),
                    Map.entry("resources/read", "{\"uri\":\"orloj+every+file:///note\"}"),
                    Map.entry("resources/subscribe", "{\"uri\":\"orloj+every+file:///note\"}"),
                    Map.entry("resources/unsubscribe", "{\"uri\":\"orloj+every+file:///note\"}"),
                    Map.entry(
                            "completion/complete",
                            "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"every__greet\"},"
                                    + "\"argument\":{\"name\":\"whom\",\"value\":\"a\"}}"),
                    Map.entry("logging/setLevel", "{\"level\":\"info\"}"),
                    Map.entry("tasks/get", "{\"taskId\":\"a\"}"),
                    Map.entry("no/such/method", "{\"a\":1}"),
                    Map.entry("notifications/initialized", "{}"),
                    Map.entry("notifications/cancelled", "{\"requestId\":1,\"reason\":\"a\"}"),
                    Map.entry("notifications/roots/list_changed", "{}"),
                    Map.entry(
                            "notifications/progress",
                            "{\"progressToken\":1,\"progress\":1,\"total\":2}"));

    private RunningOrlojd orlojd;
    private FuzzClient client;

    @BeforeAll
    void aServerWithOneOfEverythingIsReady() {
        String program = Path.of("src/test/recorded/server.py").toAbsolutePath().toString();
        orlojd = RunningOrlojd.start();
        client = new FuzzClient(orlojd.client().url());
        orlojd.client()
                .create(
                        "default",
                        "mcpservers",
                        RunningOrlojd.stdio("every", List.of("python3", "-S", program)));
        orlojd.awaitReady("default", "every");
    }

    @AfterAll
    void stop() {
        orlojd.close();
    }

    private static ObjectNode message(String revision, String method) {
        ObjectNode message = Json.MAPPER.createObjectNode();
        message.put("jsonrpc", "2.0").put("method", method);
        if (!method.startsWith("notifications/")) {
            message.put("id", 1);
        }
        JsonNode params = Json.MAPPER.readTree(METHODS.getOrDefault(method, "{}"));
        ObjectNode meta = message.set("params", params).withObject("/params/_meta");
        meta.put("progressToken", 7);
        if (revision.equals(STATELESS)) {
            meta.put("io.modelcontextprotocol/protocolVersion", revision);
            meta.putObject("io.modelcontextprotocol/clientCapabilities").putObject("sampling");
        } else if (method.equals("initialize")) {
            ((ObjectNode) params).put("protocolVersion", revision).putObject("capabilities");
        }
        return message;
    }

    private List<String> headers(String revision, String door, String method) {
        List<String> headers = new ArrayList<>();
        headers.addAll(List.of("Content-Type", "application/json"));
        headers.addAll(List.of("Accept", "application/json, text/event-stream"));
        if (revision.equals(STATELESS)) {
            headers.addAll(List.of(VERSION, revision, "Mcp-Method", method));
        } else if (!method.equals("initialize")) {
            headers.addAll(List.of(VERSION, revision, "Mcp-Session-Id", session(revision, door)));
        }
        return headers;
    }

    private String session(String revision, String door) {
        String body = message(revision, "initialize").toString();
        Request request = new Request("POST", door, body, headers(revision, door, "initialize"));
        return client.send(request, true).header("mcp-session-id");
    }

    private List<Request> requests(String revision) {
        List<Request> all = new ArrayList<>();
        for (String door : DOORS) {
            for (String method : METHODS.keySet()) {
                List<String> headers = headers(revision, door, method);
                ObjectNode right = message(revision, method);
                for (List<String> member : WrongValues.paths(right)) {
                    for (JsonNode value : WrongValues.ALL) {
                        ObjectNode wrong = right.deepCopy();
                        WrongValues.set(wrong, member, value);
                        all.add(new Request("POST", door, WrongValues.text(wrong), headers));
                    }
                }
                for (JsonNode value : WrongValues.ALL) {
                    all.add(new Request("POST", door, WrongValues.text(value), headers));
                }
            }
        }
        Collections.shuffle(all, new Random(SEED));
        return all;
    }

    /** Texts that are no message, or that a reader could stumble over. */
    private static List<String> malformedTexts(String right) {
        String open = right.substring(0, right.length() - 1);
        return List.of(
                "{",
                "[",
                "nul",
                "1e999999999",
                "\u0000",
                "\ufeff" + right,
                right + right,
                right + "}",
                right.substring(0, right.length() / 2),
                right.replace('"', '\''),
                open + ",}",
                open + ",\"id\":2,\"method\":\"ping\"}",
                open + ",\"\\ud800\":\"\\udc00\"}",
                open + ",\"a\":" + "9".repeat(100_000) + "}",
                open + ",\"a\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}",
                open + ",\"a\":" + "{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000) + "}",
                "[".repeat(100_000),
                "[" + right + ",1,[]," + right + "]",
                "[" + (right + ",").repeat(200) + "null]");
    }

    private List<Request> malformedMessages(String revision) {
        List<Request> all = new ArrayList<>();
        for (String door : DOORS) {
            for (String method : List.of("initialize", "ping", "tools/call")) {
                List<String> headers = headers(revision, door, method);
                for (String text : malformedTexts(message(revision, method).toString())) {
                    all.add(new Request("POST", door, text, headers));
                    all.add(new Request("POST", door, text, headers, StandardCharsets.UTF_16BE));
                }
                String latin = message(revision, method).put("a", "\u00e9\u00ff").toString();
                all.add(new Request("POST", door, latin, headers, StandardCharsets.ISO_8859_1));
            }
        }
        return all;
    }

    /** Each header wrong, absent, or that of another revision, with each HTTP method. */
    private List<Request> wrongHeaders(String revision) {
        List<Request> all = new ArrayList<>();
        for (String door : DOORS) {
            for (String method : List.of("initialize", "tools/list", "tools/call")) {
                String body = message(revision, method).toString();
                List<String> right = new ArrayList<>(headers(revision, door, method));
                right.addAll(List.of("Last-Event-ID", "1", "Mcp-Name", "every__add"));
                for (int i = 0; i < right.size(); i += 2) {
                    for (String value : HEADER_VALUES) {
                        List<String> wrong = new ArrayList<>(right);
                        wrong.set(i + 1, value);
                        for (String verb : List.of("POST", "GET", "DELETE", "PUT")) {
                            String sent = verb.equals("POST") ? body : "";
                            all.add(new Request(verb, door, sent, List.copyOf(wrong)));
                        }
                    }
                    List<String> fewer = new ArrayList<>(right);
                    fewer.subList(i, i + 2).clear();
                    all.add(new Request("POST", door, body, fewer));
                }
            }
        }
        Collections.shuffle(all, new Random(SEED));
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25", STATELESS})
    void noMalformedMessageMakesTheServerFail(String revision) {
        List<Request> all = malformedMessages(revision);

        assertNoFaults(all, all.size(), true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25", STATELESS})
    void noWrongHeaderMakesTheServerFail(String revision) {
        List<Request> all = wrongHeaders(revision);

        assertNoFaults(all.subList(0, Math.min(MAX_REQUESTS, all.size())), all.size(), false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25", STATELESS})
    void noWrongMemberMakesTheServerFail(String revision) {
        List<Request> all = requests(revision);

        assertThat(all).hasSizeGreaterThan(3_000);
        assertNoFaults(all.subList(0, Math.min(MAX_REQUESTS, all.size())), all.size(), true);
    }

    private void assertNoFaults(List<Request> chosen, int inAll, boolean readsSuccess) {
        System.out.printf("fuzz of /mcp: seed %d, %d of %d%n", SEED, chosen.size(), inAll);
        List<String> faults = new ArrayList<>();
        for (Request request : chosen) {
            Answer answer = client.send(request, readsSuccess);
            FuzzClient.fault(request, answer).ifPresent(faults::add);
            if (answer.text().contains("\"code\":-32603")) {
                faults.add("internal error: %s -> %.600s".formatted(request, answer.text()));
            }
        }

        assertThat(faults).as("seed %d, %d of %d", SEED, chosen.size(), inAll).isEmpty();
        assertThat(orlojd.client().get("/readyz").text()).isEqualTo("ok");
    }
}
