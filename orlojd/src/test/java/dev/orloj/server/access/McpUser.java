package dev.orloj.server.access;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A user of one MCP endpoint, in revision 2026-07-28 or in a session.
 *
 * @param session id of the session; empty for 2026-07-28
 */
record McpUser(HttpsClient client, String path, String session) {

    /** The methods that reach the server of an endpoint, with what it has to be asked for. */
    static final Map<String, String> METHODS_OF_SERVERS =
            Map.of(
                    "tools/call",
                    "{\"name\": \"echo\", \"arguments\": {}}",
                    "prompts/get",
                    "{\"name\": \"p\"}",
                    "resources/read",
                    "{\"uri\": \"file:///r\"}",
                    "completion/complete",
                    "{\"ref\": {\"type\": \"ref/prompt\", \"name\": \"p\"},"
                            + " \"argument\": {\"name\": \"a\", \"value\": \"\"}}");

    private static final String BOTH = "application/json, text/event-stream";
    private static final String META = "io.modelcontextprotocol/";
    private static final String NEW = "2026-07-28";

    McpUser(HttpsClient client, String path) {
        this(client, path, "");
    }

    /** Opens a session of an older revision. */
    McpUser initialized(String revision) throws IOException, InterruptedException {
        ObjectNode params = Json.MAPPER.createObjectNode().put("protocolVersion", revision);
        params.putObject("capabilities");
        params.putObject("clientInfo").put("name", "test").put("version", "1");
        HttpsClient.Answer answer = client.post(path, body("initialize", params), "Accept", BOTH);
        if (answer.code() != 200) {
            throw new IOException(answer.code() + answer.text());
        }
        return new McpUser(client, path, answer.header("Mcp-Session-Id"));
    }

    HttpsClient.Answer ask(String method, String params) throws IOException, InterruptedException {
        ObjectNode members = withMeta(params);
        return client.post(path, body(method, members), headers(method, members));
    }

    /** A client of 2026-07-28 can be asked, unless its params say otherwise. */
    private ObjectNode withMeta(String params) {
        ObjectNode members = (ObjectNode) Json.MAPPER.readTree(params);
        if (session.isEmpty()) {
            ObjectNode meta = members.putObject("_meta");
            meta.put(META + "protocolVersion", NEW)
                    .putObject(META + "clientCapabilities")
                    .putObject("elicitation");
        }
        return members;
    }

    /** Sends a request whose answer comes later. */
    CompletableFuture<HttpsClient.Answer> begin(String method, String params) {
        ObjectNode members = withMeta(params);
        return client.begin(path, body(method, members), headers(method, members));
    }

    /** Opens the stream of the answer. */
    BufferedReader open(String method, String params) throws IOException, InterruptedException {
        ObjectNode members = withMeta(params);
        return lines(client.openPost(path, body(method, members), headers(method, members)));
    }

    /** Opens the stream of the session. */
    BufferedReader follow() throws IOException, InterruptedException {
        return lines(client.open(path, "Accept", "text/event-stream", "Mcp-Session-Id", session));
    }

    private static BufferedReader lines(InputStream stream) {
        return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    /** Returns the result; the error when there is none. */
    JsonNode result(String method, String params) throws IOException, InterruptedException {
        JsonNode answer = message(ask(method, params));
        return answer.has("result") ? answer.path("result") : answer.path("error");
    }

    /** Returns the last message, also when it comes on a stream. */
    static JsonNode message(HttpsClient.Answer answer) {
        return answer.text()
                .lines()
                .filter(line -> line.startsWith("data: {"))
                .map(line -> Json.MAPPER.readTree(line.substring("data: ".length())))
                .reduce((_, last) -> last)
                .orElseGet(answer::json);
    }

    /** Returns the members of a list, each by what identifies it. */
    List<String> list(String what, String key) throws IOException, InterruptedException {
        String method =
                what.equals("resourceTemplates") ? "resources/templates/list" : what + "/list";
        return result(method, "{}")
                .path(what)
                .valueStream()
                .map(item -> item.path(key).asString())
                .toList();
    }

    List<String> tools() throws IOException, InterruptedException {
        return list("tools", "name");
    }

    String[] headers(String method, JsonNode params) {
        if (!session.isEmpty()) {
            return new String[] {"Accept", BOTH, "Mcp-Session-Id", session};
        }
        Stream<String> all =
                Stream.of("Accept", BOTH, "MCP-Protocol-Version", NEW, "Mcp-Method", method);
        String name = params.path("name").asString(params.path("uri").asString(""));
        return (name.isEmpty() ? all : Stream.concat(all, Stream.of("Mcp-Name", name)))
                .toArray(String[]::new);
    }

    private static String body(String method, JsonNode params) {
        ObjectNode request =
                Json.MAPPER
                        .createObjectNode()
                        .put("jsonrpc", "2.0")
                        .put("id", 1)
                        .put("method", method);
        request.set("params", params);
        return request.toString();
    }
}
