package dev.orloj.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.orloj.api.codec.Json;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.Chromium;
import dev.orloj.server.testing.NeedsChromium;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** H-04: what pages of another port of this machine can do to orlojd, in a real browser. */
@NeedsChromium
@Timeout(180)
class WebPagesTest {

    private static final String SERVERS = RestClient.collection("default", "mcpservers");
    private static final String VICTIM =
            "{kind: McpServer, metadata: {name: victim},"
                    + " spec: {transport: stdio, command: sh, suspend: true}}";

    @TempDir Path profile;

    private final CompletableFuture<JsonNode> outcomes = new CompletableFuture<>();
    private HttpServer site;
    private volatile String target = "";

    @BeforeEach
    void serveThePage() throws IOException {
        site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        site.createContext("/", this::answer);
        site.start();
    }

    @AfterEach
    void stop() {
        site.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange;
                InputStream page = WebPagesTest.class.getResourceAsStream("attacks.html")) {
            if (exchange.getRequestURI().getPath().equals("/outcomes")) {
                outcomes.complete(Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes()));
            }
            byte[] html =
                    new String(page.readAllBytes(), StandardCharsets.UTF_8)
                            .replace("TARGET", target)
                            .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, html.length);
            exchange.getResponseBody().write(html);
        }
    }

    /** Lets a page of this host attack, and returns what it made of each attempt. */
    private JsonNode attack(String host) throws Exception {
        String page = "http://%s:%d/".formatted(host, site.getAddress().getPort());
        try (Chromium _ = Chromium.open(page, profile)) {
            return outcomes.get(120, TimeUnit.SECONDS);
        }
    }

    private static List<String> servers(RunningOrlojd orlojd) {
        return orlojd.client()
                .get(SERVERS)
                .expect(200)
                .body()
                .path("items")
                .valueStream()
                .map(server -> server.at("/metadata/name").asString())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    void pageOfAnotherPortCanDoNothing(String host) throws Exception {
        try (RunningOrlojd orlojd = RunningOrlojd.start()) {
            orlojd.client().create("default", "mcpservers", VICTIM);
            target = orlojd.client().url().replace("127.0.0.1", host);

            JsonNode results = attack(host);

            assertThat(servers(orlojd)).containsExactly("victim");
            JsonNode victim = orlojd.server("default", "victim");
            assertThat(victim.at("/metadata/generation").asInt()).isEqualTo(1);
            assertThat(victim.at("/metadata/deletionTimestamp").isMissingNode()).isTrue();
            assertThat(victim.at("/metadata/annotations").isMissingNode())
                    .as("no restart is asked for: %s", victim.path("metadata"))
                    .isTrue();
            for (String readable :
                    List.of("cors-json", "cors-no-type", "delete", "read", "restart-cors")) {
                assertThat(results.path(readable).asString()).as(readable).isEqualTo("refused");
            }
            assertThat(results.path("watch").asString()).isEqualTo("error");
            assertThat(results.path("mcp-json").asString()).isEqualTo("refused");
        }
    }

    /** Shows that the attacks above are ones: with leave, those that ask for it work. */
    @Test
    void listedPageIsLetIn() throws Exception {
        String origin = "http://127.0.0.1:" + site.getAddress().getPort();
        try (RunningOrlojd orlojd =
                RunningOrlojd.start(
                        TestPostgres.freshDatabase(),
                        Map.of("orloj.security.allowed-origins", origin))) {
            orlojd.client().create("default", "mcpservers", VICTIM);
            target = orlojd.client().url();

            JsonNode results = attack("127.0.0.1");

            assertThat(servers(orlojd)).containsExactlyInAnyOrder("cors-json", "apply");
            assertThat(results.path("cors-json").asString()).isEqualTo("201");
            assertThat(results.path("delete").asString()).isEqualTo("200");
            assertThat(results.path("mcp-json").asString()).isEqualTo("200");
            assertThat(results.path("watch").asString()).isEqualTo("open");
            assertThat(results.path("cors-no-type").asString()).isEqualTo("415");
        }
    }
}
