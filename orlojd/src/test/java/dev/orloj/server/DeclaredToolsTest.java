package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.gateway.GatewayPath;
import dev.orloj.runtime.gateway.InstallationId;
import dev.orloj.server.testing.CuttingProxy;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** H-19: declared tools over the whole server: REST, MCP, status, limits, loops. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class DeclaredToolsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String TOOLS = RestClient.collection("default", "tools");

    private record Received(String line, String key, String gateways) {}

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private RunningOrlojd orlojd;
    private HttpServer api;

    @BeforeAll
    void start() throws IOException {
        orlojd = RunningOrlojd.start();
        api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.createContext("/", this::answer);
        api.start();
    }

    @AfterAll
    void stop() {
        orlojd.close();
        api.stop(0);
        http.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        received.add(
                new Received(
                        exchange.getRequestMethod() + " " + exchange.getRequestURI(),
                        String.valueOf(exchange.getRequestHeaders().getFirst("X-API-Key")),
                        String.valueOf(exchange.getRequestHeaders().getFirst(GatewayPath.HEADER))));
        byte[] body = "{\"celsius\":21.50}".getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String url() {
        return "http://127.0.0.1:" + api.getAddress().getPort();
    }

    private void create(String name, String... lines) {
        orlojd.client()
                .create(
                        "default",
                        "tools",
                        """
                        apiVersion: orloj.dev/v1
                        kind: Tool
                        metadata: {name: %s}
                        spec:
                          %s
                        """
                                .formatted(name, String.join("\n  ", lines)));
    }

    private RestClient.Answer call(String name, Map<String, ?> arguments) {
        return orlojd.client().post(TOOLS + "/" + name + "/call", Map.of("arguments", arguments));
    }

    private RestClient.Answer awaitAnswer(String name, Map<String, ?> arguments, int code) {
        return await().atMost(TIMEOUT)
                .until(() -> call(name, arguments), answer -> answer.code() == code);
    }

    /** The leader may look at a Tool before it has received a Secret of the Tool. */
    private void awaitReason(String name, String reason) {
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                orlojd.client()
                                        .get(TOOLS + "/" + name)
                                        .body()
                                        .at("/status/conditions/0/reason")
                                        .asString(""),
                        reason::equals);
    }

    private JsonNode ask(String method, String params) throws Exception {
        String meta =
                "\"_meta\": {\"io.modelcontextprotocol/protocolVersion\": \"2026-07-28\","
                        + " \"io.modelcontextprotocol/clientInfo\": {\"name\": \"t\", \"version\":"
                        + " \"1\"}, \"io.modelcontextprotocol/clientCapabilities\": {}}";
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(orlojd.client().url() + "/mcp/default"))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", "2026-07-28")
                        .header("Mcp-Method", method)
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"%s\", \"params\": {%s%s}}"
                                                .formatted(
                                                        method,
                                                        params.isEmpty() ? "" : params + ", ",
                                                        meta)));
        JsonNode name = Json.MAPPER.readTree("{" + params + "}").path("name");
        if (!name.isMissingNode()) {
            request.header("Mcp-Name", name.asString());
        }
        String body = http.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
        String document =
                body.startsWith("{")
                        ? body
                        : body.lines()
                                .filter(line -> line.startsWith("data: {"))
                                .reduce((first, last) -> last)
                                .orElseThrow()
                                .substring("data: ".length());
        return Json.MAPPER.readTree(document);
    }

    @Test
    void declaredToolIsListedAndCalledOverRestAndMcpWithItsSecret() throws Exception {
        orlojd.client()
                .create(
                        "default",
                        "secrets",
                        """
                        apiVersion: orloj.dev/v1
                        kind: Secret
                        metadata: {name: weather-key}
                        spec: {stringData: {value: s3cret}}
                        """);
        create(
                "weather.now",
                "description: The weather of a city.",
                "endpoint: '" + url() + "/cities/{city}?units={units}'",
                "method: GET",
                "auth: {secretRef: weather-key, profile: api_key_header}",
                "input_schema: {type: object, required: [city], properties: {city: {type: string},"
                        + " units: {enum: [metric, us]}, day: {type: integer}}}");

        RestClient.Answer overRest =
                awaitAnswer("weather.now", Map.of("city", "Ústí", "day", "2"), 200);
        JsonNode overMcp =
                ask(
                        "tools/call",
                        "\"name\": \"weather_now\", \"arguments\": {\"city\": \"a/b\", \"units\":"
                                + " \"us\"}");

        assertThat(overRest.body())
                .isEqualTo(
                        Json.MAPPER.readTree(
                                "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"celsius\\\":21.50}\"}],\"structuredContent\":{\"celsius\":21.50}}"));
        assertThat(overMcp.at("/result/structuredContent")).hasToString("{\"celsius\":21.50}");
        String own = orlojd.part(InstallationId.class).find().orElseThrow();
        assertThat(received)
                .contains(
                        new Received("GET /cities/%C3%9Ast%C3%AD?day=2", "s3cret", own),
                        new Received("GET /cities/a%2Fb?units=us", "s3cret", own));
        assertThat(ask("tools/list", "").at("/result/tools").valueStream())
                .filteredOn(tool -> tool.path("name").asString().equals("weather_now"))
                .singleElement()
                .satisfies(
                        tool ->
                                assertThat(tool.path("description").asString())
                                        .isEqualTo("The weather of a city."));
        awaitReason("weather.now", "Callable");
        assertThat(call("weather.now", Map.of("city", "x", "units", "fathoms")).expect(422).text())
                .contains("arguments.units");
    }

    @Test
    void callsAreCountedTracedAndKeptAsOthersAre() {
        create("counted", "endpoint: " + url());
        awaitAnswer("counted", Map.of("a", 1), 200);

        JsonNode calls =
                orlojd.client()
                        .get("/apis/orloj.dev/v1/namespaces/default/calls?tool=counted&limit=1")
                        .expect(200)
                        .body();
        assertThat(calls.at("/items/0/outcome").asString()).isEqualTo("Completed");
        assertThat(calls.at("/items/0/session").asString()).isEqualTo("POST " + url());
        assertThat(calls.at("/items/0").has("server")).isFalse();
        assertThat(orlojd.client().get("/metrics").expect(200).text())
                .containsPattern(
                        "orloj_tool_calls?_.*namespace=\"default\".*outcome=\"Completed\".*server=\"\"");
    }

    @Test
    void toolWithoutAnEndpointSaysSoInItsStatusAndToItsCallersAndIsNotListed() throws Exception {
        create("unfinished", "description: Later.");

        RestClient.Answer refused = awaitAnswer("unfinished", Map.of(), 422);

        assertThat(refused.text()).contains("cannot be called", "spec.endpoint is empty; give");
        awaitReason("unfinished", "EndpointMissing");
        assertThat(ask("tools/list", "").toString()).doesNotContain("unfinished");
        create("grpc", "type: grpc", "endpoint: x:50051");
        assertThat(awaitAnswer("grpc", Map.of(), 422).text())
                .contains("type \\\"grpc\\\" cannot be called");
    }

    @Test
    void whatCanBeSeenToBeWrongIsRefusedAtApply() {
        for (String spec :
                List.of(
                        "{\"endpoint\": \"http://169.254.169.254/{path}\"}",
                        "{\"endpoint\": \"%s/{a}\"}".formatted(orlojd.client().url()),
                        "{\"endpoint\": \"http://x\", \"method\": \"GET\", \"body\": {}}",
                        "{\"endpoint\": \"http://x\", \"method\": \"BREW\"}",
                        "{\"endpoint\": \"http://x\", \"headers\": [{\"name\": \"Host\", \"value\":"
                                + " \"y\"}]}",
                        "{\"endpoint\": \"http://x\", \"headers\": [{\"name\": \"X-A\"}]}",
                        "{\"endpoint\": \"http://x\", \"query\": [{\"name\": \"a\", \"value\":"
                                + " \"b\", \"secretRef\": \"c\"}]}",
                        "{\"endpoint\": \"http://x\", \"auth\": {\"secretRef\": \"A B\"}}",
                        "{\"type\": \"mcp\", \"mcp_server_ref\": \"s\", \"method\": \"GET\"}")) {
            RestClient.Answer answer =
                    orlojd.client()
                            .post(
                                    TOOLS,
                                    Json.MAPPER.readTree(
                                            "{\"kind\": \"Tool\", \"metadata\": {\"generateName\": \"x-\"}, \"spec\": %s}"
                                                    .formatted(spec)));

            assertThat(answer.code()).as(spec).isEqualTo(422);
            assertThat(answer.text()).as(spec).contains("spec.");
        }
    }

    /** H-30. */
    @Test
    void toolThatLeadsBackToItselfIsStoppedAtOnce() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(orlojd.client().url())) {
            create("loop", "endpoint: " + proxy.url() + TOOLS + "/loop/call");

            JsonNode result = awaitAnswer("loop", Map.of("arguments", Map.of()), 200).body();

            assertThat(result.path("isError").asBoolean()).isTrue();
            assertThat(result.at("/content/0/text").asString())
                    .contains("HTTP 508", "has come back to the gateway");
            JsonNode calls =
                    orlojd.client()
                            .get("/apis/orloj.dev/v1/namespaces/default/calls?tool=loop")
                            .expect(200)
                            .body();
            assertThat(calls.path("items").valueStream())
                    .filteredOn(item -> item.path("outcome").asString().equals("Completed"))
                    .hasSize(1);
        }
    }

    @Test
    void secretThatIsMissingIsNamedWithTheRemedyAndTheToolWorksWhenItComes() {
        create("locked", "endpoint: " + url(), "auth: {secretRef: later}");
        assertThat(awaitAnswer("locked", Map.of(), 422).text())
                .contains("spec.auth.secretRef: Secret \\\"later\\\" does not exist", "create it");
        awaitReason("locked", "SecretNotFound");

        orlojd.client()
                .create(
                        "default",
                        "secrets",
                        """
                        apiVersion: orloj.dev/v1
                        kind: Secret
                        metadata: {name: later}
                        spec: {stringData: {value: abc}}
                        """);

        awaitAnswer("locked", Map.of(), 200);
        awaitReason("locked", "Callable");
    }
}
