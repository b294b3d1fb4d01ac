package dev.orloj.server.acceptance;

import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.transport.http.ParameterHeaders;
import dev.orloj.server.mcp.McpProbe;
import dev.orloj.server.testing.RestClient;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The client of one scenario of the conformance suite: it applies an McpServer for the server of
 * the suite to a running orlojd, and uses all that the server offers through {@code /mcp}, as a
 * client of 2026-07-28 that answers elicitation. It fails when the server has not answered.
 */
final class ConformanceClient implements AutoCloseable {

    private static final String REVISION = "2026-07-28";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MAX_ROUNDS = 5;
    private static final int INTERNAL_ERROR = -32603;

    private final AcceptingAgent client = new AcceptingAgent();
    private final RestClient orlojd;
    private final McpProbe mcp;
    private final String path;
    private final ConformanceAuthorization authorization;
    private final Map<String, ParameterHeaders> mirrored = new HashMap<>();

    private ConformanceClient(
            String url, String name, URI endpoint, String scenario, JsonNode context) {
        orlojd = new RestClient(url);
        path = RestClient.collection("default", "mcpservers") + "/" + name;
        mcp = new McpProbe(URI.create(url + "/mcp/default/mcpservers/" + name));
        authorization = new ConformanceAuthorization(orlojd, name, endpoint, scenario, context);
        orlojd.create(
                "default",
                "mcpservers",
                """
                apiVersion: orloj.dev/v1
                kind: McpServer
                metadata: {name: %s}
                spec:
                  transport: http
                  endpoint: "%s"
                  bridge: {elicitation: park}
                  %s
                """
                        .formatted(name, endpoint, authorization.member()));
    }

    /**
     * Does what the scenario needs.
     *
     * @param url of orlojd
     * @param name of the McpServer, which no other client has
     * @param endpoint of the server of the suite
     * @param context what the suite gives the client
     */
    static void run(String url, String name, URI endpoint, String scenario, JsonNode context)
            throws IOException, InterruptedException {
        try (ConformanceClient client =
                new ConformanceClient(url, name, endpoint, scenario, context)) {
            client.authorization.logIn();
            client.awaitReady();
            client.useTools(scenario, context);
            client.useEach("resources", "resources/read", "uri");
            client.useEach("prompts", "prompts/get", "name");
        }
    }

    /** The user logs in once more if the server does not accept the login any more. */
    private void awaitReady() throws IOException, InterruptedException {
        await().atMost(TIMEOUT).until(() -> phase().equals("Ready") || authorization.isOver());
        if (authorization.isOver()) {
            authorization.authorize();
            await().atMost(TIMEOUT).until(() -> phase().equals("Ready"));
        }
    }

    private String phase() {
        return orlojd.get(path).body().at("/status/phase").asString("");
    }

    private void useTools(String scenario, JsonNode context)
            throws IOException, InterruptedException {
        JsonNode listed = result("tools/list", object()).path("tools");
        for (JsonNode tool : listed) {
            mirrored.put(
                    tool.path("name").asString(),
                    ParameterHeaders.orNone(tool.path("inputSchema")));
        }
        if (context.has("toolCalls")) {
            for (JsonNode call : context.path("toolCalls")) {
                call(call.path("name").asString(), (ObjectNode) call.path("arguments"));
            }
        } else if (scenario.equals("json-schema-2020-12-preservation")) {
            passSchema(listed);
        } else {
            for (JsonNode tool : listed) {
                callAuthorized(
                        tool.path("name").asString(),
                        AcceptingAgent.filled(tool.path("inputSchema")));
            }
        }
    }

    /** The suite compares the listed schema of one tool with what reaches the other one. */
    private void passSchema(JsonNode listed) {
        JsonNode schema = object();
        String receiver = "";
        for (JsonNode tool : listed) {
            if (tool.at("/inputSchema/properties").has("schema")) {
                receiver = tool.path("name").asString();
            } else {
                schema = tool.path("inputSchema");
            }
        }
        ObjectNode arguments = object();
        arguments.set("schema", schema);
        call(receiver, arguments);
    }

    /** Calls again after the user has permitted more, if the first call needs that. */
    private void callAuthorized(String tool, ObjectNode arguments)
            throws IOException, InterruptedException {
        try {
            call(tool, arguments);
        } catch (FailedRequestException e) {
            if (!authorization.stepUp(String.valueOf(e.getMessage()))) {
                throw e;
            }
            awaitReady();
            call(tool, arguments);
        }
    }

    /** Repeats the request with the answers that the server asks for, until it has its result. */
    private void call(String tool, ObjectNode arguments) {
        ObjectNode extra = object();
        for (int round = 1; round <= MAX_ROUNDS; round++) {
            ObjectNode params = object().put("name", tool);
            params.set("arguments", arguments);
            params.setAll(extra);
            JsonNode result = result("tools/call", params, mirrored(tool, arguments));
            if (!result.path("resultType").asString("").equals("input_required")) {
                return;
            }
            extra = client.answers((ObjectNode) result);
        }
        throw new IllegalStateException(
                "%s needs input after %d rounds".formatted(tool, MAX_ROUNDS));
    }

    /** The arguments that are headers too. */
    private String[] mirrored(String tool, ObjectNode arguments) {
        return mirrored.getOrDefault(tool, ParameterHeaders.NONE).of(arguments).entrySet().stream()
                .flatMap(header -> Stream.of(header.getKey(), header.getValue()))
                .toArray(String[]::new);
    }

    /**
     * Lists what the server has of a kind, and gets each of it.
     *
     * @param member what names one, in the list as well as in the request for it
     */
    private void useEach(String kind, String method, String member) {
        for (JsonNode each : result(kind + "/list", object()).path(kind)) {
            result(method, object().put(member, each.path(member).asString()));
        }
    }

    /** The result of a request; missing when the server answers with an error of its own. */
    private JsonNode result(String method, ObjectNode params, String... more) {
        ObjectNode meta = params.putObject("_meta");
        meta.put("io.modelcontextprotocol/protocolVersion", REVISION);
        meta.putObject("io.modelcontextprotocol/clientInfo")
                .put("name", "conformance")
                .put("version", "1");
        meta.putObject("io.modelcontextprotocol/clientCapabilities")
                .putObject("elicitation")
                .putObject("form");
        ObjectNode request = object().put("jsonrpc", "2.0").put("id", 1).put("method", method);
        request.set("params", params);
        String subject = params.path("name").asString(params.path("uri").asString(""));
        Stream<String> headers = Stream.of("MCP-Protocol-Version", REVISION, "Mcp-Method", method);
        Stream<String> name = subject.isEmpty() ? Stream.of() : Stream.of("Mcp-Name", subject);
        McpProbe.Answer answer =
                mcp.post(
                        request.toString(),
                        Stream.of(headers, name, Stream.of(more))
                                .flatMap(each -> each)
                                .toArray(String[]::new));
        JsonNode message = answer.json();
        if (message.at("/error/code").asInt(0) == INTERNAL_ERROR) {
            throw new FailedRequestException(method, message);
        }
        return message.path("result");
    }

    private static ObjectNode object() {
        return Json.MAPPER.createObjectNode();
    }

    /** orlojd has no answer of the server. */
    private static final class FailedRequestException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        FailedRequestException(String method, JsonNode message) {
            super(method + ": " + message.at("/error/message").asString());
        }
    }

    /** Ends the session too: some scenarios check how. */
    @Override
    public void close() {
        orlojd.delete(path);
        await().atMost(TIMEOUT).until(() -> orlojd.get(path).code() == 404);
    }
}
