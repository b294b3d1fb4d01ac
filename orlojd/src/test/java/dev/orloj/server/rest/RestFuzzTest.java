package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.HttpProbe.Answer;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.math.BigInteger;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Whatever comes in, the answer is a 2xx or a 4xx Status, and the server goes on. */
class RestFuzzTest {

    private static final long SEED = Long.getLong("orloj.fuzz.seed", 20_261_120);
    private static final int ROUNDS = Integer.getInteger("orloj.fuzz.rounds", 400);

    private static final List<String> MANIFESTS =
            List.of(
                    """
                    {"apiVersion": "orloj.dev/v1", "kind": "McpServer", "metadata": {"name": "a",
                     "labels": {"a": "b"}, "annotations": {"c": "d"}, "finalizers": ["a.dev/b"],
                     "ownerReferences": [{"apiVersion": "v1", "kind": "A", "name": "a", "uid": "1"}]},
                     "spec": {"transport": "stdio", "command": "x", "args": ["a"],
                      "env": [{"name": "A", "value": "b"}, {"name": "B", "secretRef": "s/k"}],
                      "tool_filter": {"include": ["a"]}, "idle_timeout": "5m",
                      "reconnect": {"max_attempts": 3, "backoff": "2s"}}}\
                    """,
                    """
                    {"apiVersion": "orloj.dev/v1", "kind": "Tool", "metadata": {"name": "a"},
                     "spec": {"type": "http", "input_schema": {"type": "object"}, "icons": [],
                      "capabilities": ["a"], "extra": {"a": 1}},
                     "status": {"phase": "Up", "conditions": []}}\
                    """,
                    """
                    {"apiVersion": "orloj.dev/v1", "kind": "Secret", "metadata": {"name": "a",
                     "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}"}},
                     "spec": {"data": {"a": "YQ==", "b": "***"}, "stringData": {"c": "d"}}}\
                    """,
                    """
                    {"apiVersion": "v1", "kind": "Event", "metadata": {"generateName": "a-"},
                     "involvedObject": {"kind": "Tool", "name": "a"}, "count": 1,
                     "firstTimestamp": "2026-01-01T00:00:00Z", "source": {"component": "x"}}\
                    """,
                    """
                    {"op": "add", "path": "/spec/a", "from": "/spec", "value": {"a": [1]}}\
                    """);

    private static final List<String> PLURALS = List.of("mcpservers", "tools", "secrets", "events");
    private static final List<String> TYPES =
            List.of(
                    "application/json",
                    "application/yaml",
                    "application/merge-patch+json",
                    "application/json-patch+json");
    private static final List<String> METHODS = List.of("POST", "PUT", "PATCH", "DELETE");
    private static final List<String> TEXTS =
            List.of(
                    "",
                    "***",
                    "\u0000",
                    "\ud800",
                    "\udc00x",
                    "é\u202e\uffff",
                    "../..",
                    "a/b/c",
                    "A".repeat(5_000),
                    "1e999999",
                    "\r\nSet-Cookie: a",
                    "${x}",
                    "%00",
                    "null",
                    "~1",
                    "9999-99-99T99:99:99Z",
                    "-1h",
                    "<script>");

    private final Random random = new Random(SEED);
    private final HttpProbe http = RestServer.shared().probe();
    private final String namespace = RestServer.shared().freshNamespace();

    private <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private String path() {
        String plural = any(PLURALS);
        String group = plural.equals("events") ? "/api/v1" : "/apis/orloj.dev/v1";
        String collection = "%s/namespaces/%s/%s".formatted(group, namespace, plural);
        return switch (random.nextInt(5)) {
            case 0 -> collection + "/a";
            case 1 -> collection + "/a/status";
            case 2 -> plural.equals("tools") ? collection + "/a/call" : collection;
            default -> collection;
        };
    }

    /** A valid manifest in which a few things went wrong. */
    private byte[] body() {
        JsonNode document = Json.MAPPER.readTree(any(MANIFESTS));
        int changes = random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            spoil(document);
        }
        String text = document.toString();
        if (document.has("op")) {
            text = "[" + text + "]";
        }
        return switch (random.nextInt(8)) {
            case 0 -> cut(text);
            case 1 -> flipped(text);
            case 2 ->
                    ("{\"metadata\":" + "[".repeat(random.nextInt(5_000)))
                            .getBytes(StandardCharsets.UTF_8);
            case 3 -> text.getBytes(StandardCharsets.UTF_16);
            default -> text.getBytes(StandardCharsets.UTF_8);
        };
    }

    private byte[] cut(String text) {
        return text.substring(0, random.nextInt(text.length() + 1))
                .getBytes(StandardCharsets.UTF_8);
    }

    private byte[] flipped(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 3; i++) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    /** Replaces something somewhere below. */
    private void spoil(JsonNode container) {
        switch (container) {
            case ObjectNode object when !object.isEmpty() -> {
                String name = any(new ArrayList<>(object.propertyNames()));
                if (object.get(name).isContainer() && random.nextInt(4) > 0) {
                    spoil(object.get(name));
                } else if (random.nextInt(6) == 0) {
                    object.set(any(TEXTS), object.get(name));
                } else {
                    object.set(name, junk());
                }
            }
            case ArrayNode array when !array.isEmpty() -> {
                int position = random.nextInt(array.size());
                if (array.get(position).isContainer() && random.nextInt(4) > 0) {
                    spoil(array.get(position));
                } else {
                    array.set(position, junk());
                }
            }
            default -> {}
        }
    }

    private JsonNode junk() {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (random.nextInt(9)) {
            case 0 -> nodes.nullNode();
            case 1 -> nodes.booleanNode(true);
            case 2 -> nodes.numberNode(BigInteger.TEN.pow(random.nextInt(400)));
            case 3 -> nodes.numberNode(random.nextDouble() * 1e300);
            case 4 -> nodes.arrayNode().add(nodes.arrayNode().addNull());
            case 5 -> nodes.objectNode().put(any(TEXTS), any(TEXTS));
            case 6 -> deep();
            default -> nodes.stringNode(any(TEXTS));
        };
    }

    private JsonNode deep() {
        JsonNode inner = JsonNodeFactory.instance.nullNode();
        for (int i = random.nextInt(250); i > 0; i--) {
            inner = JsonNodeFactory.instance.objectNode().set("a", inner);
        }
        return inner;
    }

    private static void assertHandled(Answer answer, String what) {
        assertThat(answer.code()).as("seed %d: %s: %s", SEED, what, answer.text()).isLessThan(500);
        if (answer.code() >= 400) {
            assertThat(answer.at("/kind")).as(what).isEqualTo("Status");
            assertThat(answer.at("/code")).isEqualTo(String.valueOf(answer.code()));
            assertThat(answer.text()).doesNotContain("\tat ").doesNotContain("Exception");
        }
    }

    @Test
    void spoiltBodiesAreRefused() {
        for (int i = 0; i < ROUNDS; i++) {
            String method = any(METHODS);
            String path = path();
            String type = any(TYPES);
            byte[] body = body();

            Answer answer = http.send(method, path, body, "Content-Type", type);

            String what =
                    "round %d: %s %s %s %s"
                            .formatted(
                                    i,
                                    method,
                                    path,
                                    type,
                                    new String(body, StandardCharsets.UTF_8));
            if (answer.code() != 503 || !path.endsWith("/call")) {
                assertHandled(answer, what);
            }
        }
        assertThat(http.get("/readyz").text()).isEqualTo("ok");
    }

    @Test
    void spoiltQueriesAreRefused() {
        List<String> names =
                List.of(
                        "limit",
                        "continue",
                        "labelSelector",
                        "fieldSelector",
                        "resourceVersion",
                        "resourceVersionMatch",
                        "timeoutSeconds",
                        "sendInitialEvents",
                        "dryRun",
                        "includeObject",
                        "allowWatchBookmarks",
                        "fieldValidation",
                        "a");
        List<String> values =
                List.of(
                        "",
                        "0",
                        "1",
                        "-1",
                        "99999999999999999999",
                        "abc",
                        "%zz",
                        "%",
                        "%00",
                        "%ff",
                        "a%3Db",
                        "a%20in%20(b,c",
                        "metadata.name%3Da",
                        "metadata.name%3D%C3%A9",
                        "true",
                        "All",
                        "Exact",
                        "NotOlderThan",
                        "%F0%9F%92%A9",
                        "a=b=c",
                        "+",
                        "!",
                        ",",
                        "eyJ2IjoxfQ",
                        "%ED%A0%80",
                        "(((((((((((((((((((((((((((((");
        for (int i = 0; i < ROUNDS; i++) {
            StringBuilder target = new StringBuilder(path()).append('?');
            for (int n = random.nextInt(4); n >= 0; n--) {
                target.append(any(names)).append('=').append(any(values)).append('&');
            }
            assertRawHandled("GET", target.toString());
        }
    }

    @Test
    void spoiltPathsAreRefused() {
        List<String> segments =
                List.of(
                        "api",
                        "apis",
                        "v1",
                        "orloj.dev",
                        "namespaces",
                        "default",
                        "tools",
                        "mcpservers",
                        "status",
                        "call",
                        "log",
                        "sessions",
                        "",
                        ".",
                        "..",
                        "%2e%2e",
                        "%2F",
                        "%00",
                        "%zz",
                        "%C3%A9",
                        "a;b=c",
                        "A".repeat(3_000),
                        "*",
                        "{a}",
                        "\\",
                        "openapi",
                        "v3");
        for (int i = 0; i < ROUNDS; i++) {
            StringBuilder path =
                    new StringBuilder(random.nextBoolean() ? "/apis/orloj.dev/v1" : "");
            for (int n = random.nextInt(7); n >= 0; n--) {
                path.append('/').append(any(segments));
            }
            assertRawHandled(
                    any(List.of("GET", "PUT", "DELETE", "HEAD", "OPTIONS")), path.toString());
        }
    }

    /** Over a bare socket: a proper client refuses to send most of these. */
    private void assertRawHandled(String method, String target) {
        try (Socket socket = new Socket("127.0.0.1", RestServer.shared().port())) {
            socket.setSoTimeout(20_000);
            String head =
                    method + " " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean future = answer.contains("Too large resource version");
            assertThat(answer)
                    .as("seed %d: %s %s", SEED, method, target)
                    .satisfiesAnyOf(
                            a -> assertThat(a).matches("(?s)HTTP/1\\.1 2\\d\\d .*"),
                            a -> assertThat(a).matches("(?s)HTTP/1\\.1 304 .*"),
                            a ->
                                    assertThat(a)
                                            .matches("(?s)HTTP/1\\.1 4\\d\\d .*")
                                            .satisfies(
                                                    b ->
                                                            assertThat(
                                                                            method.equals("HEAD")
                                                                                    || b.contains(
                                                                                            "\"kind\":\"Status\""))
                                                                    .isTrue()),
                            a -> assertThat(future).isTrue());
        } catch (IOException e) {
            throw new AssertionError(method + " " + target, e);
        }
    }
}
