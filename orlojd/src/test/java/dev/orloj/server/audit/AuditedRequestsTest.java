package dev.orloj.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Kind;
import dev.orloj.api.audit.AuditRecord;
import dev.orloj.api.audit.AuditVerification;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.v1.Kinds;
import dev.orloj.server.store.audit.AuditTable;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;
import dev.orloj.server.testing.TracingServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/** Each write and each call is in the log: a new route that is not there fails. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayName("19, item 8: every write and every call is audited")
class AuditedRequestsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String CANARY = "c4n4ry-" + UUID.randomUUID();

    @TempDir static Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private RunningOrlojd orlojd;
    private RestClient client;

    @BeforeAll
    void start() throws Exception {
        orlojd = RunningOrlojd.start();
        client = orlojd.client();
        client.create("default", "mcpservers", TracingServer.in(folder).manifest());
        await().atMost(TIMEOUT).until(() -> client.call("default", "one--who", "{}").code() == 200);
    }

    @AfterAll
    void stop() {
        orlojd.close();
        http.close();
        orlojd.database().close();
    }

    private int send(String method, String path, String agent, String body)
            throws IOException, InterruptedException {
        return http.send(
                        HttpRequest.newBuilder(URI.create(client.url() + path))
                                .method(method, HttpRequest.BodyPublishers.ofString(body))
                                .header(
                                        "Content-Type",
                                        method.equals("PATCH")
                                                ? "application/merge-patch+json"
                                                : "application/json")
                                .header("Accept", "application/json, text/event-stream")
                                .header("User-Agent", agent)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private static int code(JsonNode event) {
        return event.at("/responseStatus/code").asInt();
    }

    private HttpResponse<String> mcp(String session, String method, String params)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(client.url() + "/mcp/default"))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("User-Agent", "mcp-caller");
        if (!session.isEmpty()) {
            request.header("Mcp-Session-Id", session);
        }
        String message =
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"%s\", \"params\": %s}"
                        .formatted(method, params);
        return http.send(
                request.POST(HttpRequest.BodyPublishers.ofString(message)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private List<JsonNode> events() {
        return orlojd.part(AuditTable.class).after(0, 100_000).records().stream()
                .map(AuditRecord::event)
                .map(Json.MAPPER::readTree)
                .toList();
    }

    private JsonNode awaitEvent(Predicate<JsonNode> wanted) {
        await().atMost(TIMEOUT).until(() -> events().stream().anyMatch(wanted));
        return events().stream().filter(wanted).findFirst().orElseThrow();
    }

    private static Predicate<JsonNode> by(String agent) {
        return event -> event.path("userAgent").asString("").equals(agent);
    }

    private Set<String> writingRoutes() {
        Set<String> routes = new LinkedHashSet<>();
        for (RequestMappingInfoHandlerMapping mapping :
                orlojd.parts(RequestMappingInfoHandlerMapping.class)) {
            for (RequestMappingInfo info : mapping.getHandlerMethods().keySet()) {
                for (RequestMethod method : info.getMethodsCondition().getMethods()) {
                    if (method != RequestMethod.GET && method != RequestMethod.HEAD) {
                        info.getPatternValues().forEach(path -> routes.add(method + " " + path));
                    }
                }
            }
        }
        for (KindDescriptor<?> descriptor : Kinds.SCHEME.descriptors()) {
            Kind<?> kind = descriptor.kind();
            String collection =
                    (kind.group().isEmpty() ? "/api/v1" : "/apis/" + kind.apiVersion())
                            + (kind.namespaced() ? "/namespaces/default/" : "/")
                            + kind.plural();
            routes.add("POST " + collection + "?dryRun=All");
            routes.add("DELETE " + collection + "?dryRun=All&labelSelector=no=such");
            for (String method : List.of("PUT", "PATCH", "DELETE")) {
                routes.add(method + " " + collection + "/absent?dryRun=All");
            }
        }
        return routes;
    }

    @Test
    void everyWritingRouteIsAudited() throws Exception {
        Set<String> routes = writingRoutes();
        assertThat(routes).hasSizeGreaterThan(50).anyMatch(route -> route.endsWith("/restart"));
        Map<String, Integer> codes = new LinkedHashMap<>();
        for (String route : routes) {
            String[] parts = route.split(" ", 2);
            String path =
                    parts[1].replace("{namespace}", "default")
                            .replace("{name}", "absent")
                            .replace("{id}", "x");
            codes.put(route, send(parts[0], path, route, "{}"));
        }
        send("DELETE", "/api/v1/namespaces/absent", "after-routes", "");
        awaitEvent(by("after-routes"));

        Map<String, JsonNode> events = new HashMap<>();
        events().forEach(event -> events.put(event.path("userAgent").asString(""), event));
        codes.forEach(
                (route, code) -> {
                    assertThat(events).containsKey(route);
                    JsonNode event = events.get(route);
                    assertThat(code(event)).as(route).isEqualTo(code);
                    assertThat(event.at("/objectRef/resource").asString("")).isNotEmpty();
                    assertThat(event.at("/sourceIPs/0").asString("")).isEqualTo("127.0.0.1");
                });
    }

    @Test
    void eventHasWhatKubernetesHas() throws Exception {
        String body =
                """
                {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "made-"}}\
                """;
        int code = send("POST", "/api/v1/namespaces/default/configmaps", "creator", body);

        JsonNode event = awaitEvent(by("creator"));
        assertThat(code).isEqualTo(201);
        assertThat(event.path("apiVersion").asString("")).isEqualTo("audit.k8s.io/v1");
        assertThat(event.path("stage").asString("")).isEqualTo("ResponseComplete");
        assertThat(event.path("verb").asString("")).isEqualTo("create");
        assertThat(event.at("/user/username").asString("")).isEqualTo("system:anonymous");
        assertThat(event.at("/objectRef/name").asString("")).startsWith("made-");
        assertThat(event.at("/objectRef/namespace").asString("")).isEqualTo("default");
    }

    @Test
    void callsOfBothDoorsAreAudited() throws Exception {
        send(
                "POST",
                RestClient.collection("default", "tools") + "/one--who/call",
                "rest-caller",
                "{\"arguments\": {\"secret\": \"" + CANARY + "\"}}");
        JsonNode rest = awaitEvent(by("rest-caller"));
        assertThat(rest.path("verb").asString("")).isEqualTo("call");
        assertThat(rest.at("/objectRef/name").asString("")).isEqualTo("one--who");
        assertThat(rest.at("/annotations").has("orloj.dev/call-id")).isTrue();

        HttpResponse<String> begun =
                mcp(
                        "",
                        "initialize",
                        """
                        {"protocolVersion": "2025-06-18", "capabilities": {},
                         "clientInfo": {"name": "x", "version": "1"}}\
                        """);
        String session = begun.headers().firstValue("Mcp-Session-Id").orElseThrow();
        mcp(session, "tools/call", "{\"name\": \"one__who\", \"arguments\": {}}");
        mcp(session, "tools/call", "{\"name\": \"no-such\", \"arguments\": {}}");

        JsonNode mcp = awaitEvent(by("mcp-caller").and(event -> code(event) == 200));
        assertThat(mcp.path("verb").asString("")).isEqualTo("call");
        assertThat(mcp.at("/objectRef/name").asString("")).isEqualTo("one--who");
        assertThat(mcp.at("/objectRef/namespace").asString("")).isEqualTo("default");
        assertThat(mcp.path("requestURI").asString("")).isEqualTo("/mcp/default");
        assertThat(mcp.at("/annotations").has("orloj.dev/call-id")).isTrue();
        JsonNode unknown = awaitEvent(by("mcp-caller").and(event -> code(event) == 400));
        assertThat(unknown.at("/objectRef/name").asString("")).isEqualTo("no-such");
        assertThat(unknown.at("/annotations").get("orloj.dev/error").asString(""))
                .isEqualTo("-32602");
        assertThat(events()).noneMatch(event -> event.toString().contains(CANARY));
    }

    @Test
    void valuesOfSecretsAreInNoEvent() throws Exception {
        String secrets = "/api/v1/namespaces/default/secrets";
        String secret =
                """
                {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "canary"},
                 "stringData": {"value": "%s"}}\
                """
                        .formatted(CANARY);
        send("POST", secrets + "?access_token=" + CANARY, "secret-writer", secret);
        send("PUT", secrets + "/canary", "secret-updater", secret);
        awaitEvent(by("secret-writer"));
        awaitEvent(by("secret-updater"));

        assertThat(events()).noneMatch(event -> event.toString().contains(CANARY));
    }

    /** Reads are not in the log, but for those that were refused. */
    @Test
    void readsAreNotAudited() throws Exception {
        send("GET", "/api/v1/namespaces", "reader", "");
        send("DELETE", "/api/v1/namespaces/absent", "after-reader", "");
        awaitEvent(by("after-reader"));

        assertThat(events()).noneMatch(by("reader"));
    }

    @Test
    void logOfTheServerVerifies() {
        awaitEvent(_ -> true);
        AuditTable.Page page = orlojd.part(AuditTable.class).after(0, 100_000);
        AuditVerification verification = new AuditVerification(Optional.empty());
        page.records().forEach(verification::take);

        assertThat(verification.problems()).isEmpty();
        assertThat(verification.last()).isPositive();
    }
}
