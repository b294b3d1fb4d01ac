package dev.orloj.server.attacks;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Answer;
import dev.orloj.runtime.testkit.FakeHttpServer.Received;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.server.testing.RunningOrlojd;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Any number of MCP servers at the paths of one port. What each of them says is a document, which a
 * test can replace: {@code serverInfo}, {@code instructions}, {@code tools}, {@code prompts},
 * {@code resources}, {@code resourceTemplates}, and {@code result}, the answer to every call. A
 * document with {@code versions} makes a server of that revision, without sessions. Thread-safe.
 */
final class AttackServers implements AutoCloseable {

    private static final String PREFIX = "/mcp/";

    /** The lists, by the methods that ask for them. */
    private static final Map<String, String> LISTS =
            Map.of(
                    "tools/list", "tools",
                    "prompts/list", "prompts",
                    "resources/list", "resources",
                    "resources/templates/list", "resourceTemplates");

    /** Half of a surrogate pair passes only as an escape. */
    private static final ObjectWriter ASCII =
            Json.MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);

    private final FakeHttpServer http = FakeHttpServer.start(FakeScript.wellBehaved());
    private final Map<String, ObjectNode> offers = new ConcurrentHashMap<>();

    AttackServers() {
        http.guard(this::answer);
    }

    /** The document of a server with these tools. */
    static ObjectNode tools(JsonNode... tools) {
        return Json.MAPPER
                .createObjectNode()
                .set("tools", Json.MAPPER.createArrayNode().addAll(List.of(tools)));
    }

    /** A tool without arguments. */
    static ObjectNode tool(String name, String description) {
        ObjectNode tool =
                Json.MAPPER.createObjectNode().put("name", name).put("description", description);
        tool.putObject("inputSchema").put("type", "object");
        return tool;
    }

    /** Replaces what a server says, from the next request on. */
    void offer(String server, ObjectNode offer) {
        offers.put(server, offer.deepCopy());
    }

    /**
     * The manifest of a server.
     *
     * @param server path, such as {@code namespace/name}
     * @param more further lines of its spec
     */
    String manifest(String server, String... more) {
        return RunningOrlojd.http(
                server.substring(server.indexOf('/') + 1), http.endpoint() + "/" + server, more);
    }

    /** The requests that a server got, by their method. */
    List<JsonNode> received(String server, String method) {
        return http.received(method).stream()
                .filter(request -> request.target().equals(PREFIX + server))
                .map(Received::body)
                .toList();
    }

    private Answer answer(Received request) {
        ObjectNode offer = offers.get(request.target().substring(PREFIX.length()));
        if (offer == null) {
            return Answer.of(404, "text/plain", "no such server");
        }
        if (!request.httpMethod().equals("POST")) {
            return Answer.of(request.httpMethod().equals("GET") ? 405 : 200, "text/plain", "");
        }
        JsonNode id = request.body().get("id");
        if (id == null) {
            return Answer.of(202, "text/plain", "");
        }
        ObjectNode message = Json.MAPPER.createObjectNode().put("jsonrpc", "2.0");
        message.set("id", id);
        JsonNode result = result(request, offer);
        if (result == null) {
            message.putObject("error").put("code", -32601).put("message", "no such method");
        } else {
            message.set("result", result);
        }
        return Answer.of(200, "application/json", ASCII.writeValueAsString(message));
    }

    private static @Nullable JsonNode result(Received request, ObjectNode offer) {
        String method = request.method();
        if (method.equals("initialize") && !offer.has("versions")) {
            return introduction(offer)
                    .put(
                            "protocolVersion",
                            request.body().at("/params/protocolVersion").asString());
        }
        if (method.equals("server/discover") && offer.has("versions")) {
            ObjectNode discovered = introduction(offer).put("resultType", "complete");
            discovered.set("supportedVersions", offer.path("versions"));
            return discovered;
        }
        if (LISTS.containsKey(method)) {
            ObjectNode list = Json.MAPPER.createObjectNode().put("resultType", "complete");
            String field = LISTS.get(method);
            list.putArray(field).addAll(offer.path(field).valueStream().toList());
            return list;
        }
        return switch (method) {
            case "tools/call" ->
                    offer.has("result")
                            ? offer.path("result")
                            : Json.MAPPER.readTree(
                                    "{\"content\": [{\"type\": \"text\", \"text\": \"called\"}]}");
            case "prompts/get" -> Json.MAPPER.readTree("{\"messages\": []}");
            case "resources/read" -> Json.MAPPER.readTree("{\"contents\": []}");
            default -> null;
        };
    }

    private static ObjectNode introduction(ObjectNode offer) {
        ObjectNode introduction = Json.MAPPER.createObjectNode();
        ObjectNode capabilities = introduction.putObject("capabilities");
        capabilities.putObject("tools");
        if (offer.has("prompts")) {
            capabilities.putObject("prompts");
        }
        if (offer.has("resources") || offer.has("resourceTemplates")) {
            capabilities.putObject("resources");
        }
        introduction.set(
                "serverInfo",
                offer.has("serverInfo")
                        ? offer.path("serverInfo")
                        : Json.MAPPER.readTree("{\"name\": \"server\", \"version\": \"1\"}"));
        if (offer.has("instructions")) {
            introduction.set("instructions", offer.path("instructions"));
        }
        return introduction;
    }

    @Override
    public void close() {
        http.close();
    }
}
