package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.gateway.GatewayPath;
import dev.orloj.runtime.gateway.InstallationId;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.CuttingProxy;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** H-30: endpoints that lead back to orlojd. */
@Timeout(180)
class GatewayLoopsTest {

    private static final String SERVERS = RestClient.collection("default", "mcpservers");

    private static RunningOrlojd start() {
        return RunningOrlojd.start(
                TestPostgres.freshDatabase(), Map.of("orloj.controllers.resync-period", "1s"));
    }

    private static int port(RunningOrlojd orlojd) {
        return URI.create(orlojd.client().url()).getPort();
    }

    private static void add(RunningOrlojd to, String name, String url) {
        to.client().create("default", "mcpservers", RunningOrlojd.http(name, url));
    }

    @Test
    void ownAddressIsRefusedInWhateverWayItIsWritten() {
        try (RunningOrlojd orlojd = start()) {
            for (String host :
                    List.of(
                            "127.0.0.1",
                            "localhost",
                            "LOCALHOST.",
                            "[::1]",
                            "0.0.0.0",
                            "[::]",
                            "[::ffff:127.0.0.1]",
                            "2130706433")) {
                String endpoint = "http://%s:%d/mcp/default".formatted(host, port(orlojd));
                RestClient.Answer answer =
                        orlojd.client()
                                .post(
                                        SERVERS,
                                        Map.of(
                                                "kind", "McpServer",
                                                "metadata", Map.of("generateName", "x-"),
                                                "spec",
                                                        Map.of(
                                                                "transport",
                                                                "http",
                                                                "endpoint",
                                                                endpoint)));
                assertThat(answer.code()).as(host).isEqualTo(422);
                assertThat(answer.text())
                        .as(host)
                        .contains("spec.endpoint", "this orlojd itself listens at that address");
            }
        }
    }

    @Test
    void orlojdThatNamesItselfByAnotherAddressSaysSoAndMakesNoTools() throws Exception {
        try (FakeHttpServer fake = FakeHttpServer.start(FakeScript.wellBehaved());
                RunningOrlojd orlojd = start()) {
            add(orlojd, "honest", fake.endpoint().toString());
            orlojd.awaitReady("default", "honest");
            List<String> tools = orlojd.tools("default");
            CuttingProxy proxy = new CuttingProxy(orlojd.client().url());

            add(orlojd, "loop", proxy.url() + "/mcp/default");

            await().untilAsserted(
                            () -> assertThat(reason(orlojd, "loop")).isEqualTo("GatewayLoop"));
            assertThat(orlojd.server("default", "loop").at("/status/lastError").asString())
                    .contains("leads back to this orlojd", "delete this McpServer");
            assertThat(orlojd.tools("default")).isEqualTo(tools);
            assertThat(orlojd.tools("default")).isNotEmpty();
        }
    }

    @Test
    void twoThatNameEachOtherAreCaughtAndTheirToolsDoNotMultiply() throws Exception {
        try (FakeHttpServer fake = FakeHttpServer.start(FakeScript.wellBehaved());
                RunningOrlojd one = start();
                RunningOrlojd two = start()) {
            add(one, "honest", fake.endpoint().toString());
            add(two, "honest", fake.endpoint().toString());
            one.awaitReady("default", "honest");
            two.awaitReady("default", "honest");
            int own = one.tools("default").size();

            add(one, "other", two.client().url() + "/mcp/default");
            one.awaitReady("default", "other");
            add(two, "other", one.client().url() + "/mcp/default");

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(reason(two, "other")).isEqualTo("GatewayLoop"));
            assertThat(reason(one, "other")).as("one direction works").isNotEqualTo("GatewayLoop");
            assertThat(one.tools("default")).hasSize(2 * own);
            assertThat(two.tools("default")).hasSize(own);
        }
    }

    @Test
    void requestThatComesBackIsNotPassedOn() throws Exception {
        try (RunningOrlojd orlojd = start();
                HttpClient client = HttpClient.newHttpClient()) {
            String own = orlojd.part(InstallationId.class).find().orElseThrow();

            HttpResponse<String> answer =
                    client.send(
                            HttpRequest.newBuilder(
                                            URI.create(orlojd.client().url() + "/mcp/default"))
                                    .header("Content-Type", "application/json")
                                    .header("Accept", "application/json, text/event-stream")
                                    .header("MCP-Protocol-Version", "2026-07-28")
                                    .header("Mcp-Method", "prompts/list")
                                    .header(GatewayPath.HEADER, "somewhere, " + own)
                                    .POST(
                                            HttpRequest.BodyPublishers.ofString(
                                                    """
                                                    {"jsonrpc": "2.0", "id": 1, "method": "prompts/list",
                                                     "params": {"_meta": {
                                                       "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                                       "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
                                                       "io.modelcontextprotocol/clientCapabilities": {}}}}
                                                    """))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(508);
            assertThat(answer.body()).contains("has come back to the gateway", own, "somewhere");
        }
    }

    private static String reason(RunningOrlojd orlojd, String server) {
        return orlojd.server("default", server)
                .at("/status/conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asString("").equals("Ready"))
                .map(condition -> condition.path("reason").asString(""))
                .findFirst()
                .orElse("");
    }
}
