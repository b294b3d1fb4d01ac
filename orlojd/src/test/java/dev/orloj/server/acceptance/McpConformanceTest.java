package dev.orloj.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.testing.AcceptanceSuite;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RegistryCache;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The official conformance suite, as the judge of the MCP endpoints: against servers of ours that
 * have what the suite asks for by name, each behind the endpoint that shows one server as itself.
 * One speaks the older revisions, the other 2026-07-28, so that agents of both kinds meet servers
 * of both. What fails has to stand in the baseline, and what stands there has to fail.
 */
@Tag(AcceptanceSuite.CONFORMANCE)
@AcceptanceSuite(AcceptanceSuite.CONFORMANCE)
class McpConformanceTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @TempDir private static Path folder;

    private static NodePackages packages;
    private static OrlojdProcess orlojd;

    @BeforeAll
    static void serverIsReady() throws Exception {
        packages = NodePackages.install(RegistryCache.folder(AcceptanceSuite.CONFORMANCE));
        Path fixture = packages.script("conformance-server.mjs");
        orlojd = OrlojdProcess.start(folder.resolve("data"));
        for (String line : List.of("older", "newer")) {
            serve(line, fixture);
        }
    }

    private static void serve(String line, Path fixture) {
        RestClient client = orlojd.client();
        client.create(
                "default",
                "mcpservers",
                RunningOrlojd.stdio(
                        line,
                        List.of(packages.node(), fixture.toString(), line),
                        "bridge: {elicitation: park, sampling: park, roots: park}"));
        String path = RestClient.collection("default", "mcpservers") + "/" + line;
        await().atMost(Duration.ofMinutes(1))
                .until(
                        () ->
                                client.get(path)
                                        .body()
                                        .at("/status/phase")
                                        .asString("")
                                        .equals("Ready"));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (orlojd != null) {
            orlojd.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0.1.16,          2025-06-18,  older",
        "0.1.16,          2025-11-25,  older",
        "0.2.0-alpha.12,  2025-03-26,  older",
        "0.2.0-alpha.12,  2025-06-18,  older",
        "0.2.0-alpha.12,  2025-11-25,  older",
        "0.2.0-alpha.12,  2025-11-25,  newer",
        "0.2.0-alpha.12,  2026-07-28,  newer",
    })
    void everyScenarioThatCanPassDoes(String suite, String revision, String line) throws Exception {
        judge(suite, revision, line, "conformance-baseline-%s.yaml".formatted(line));
    }

    /** H-24: the calls of agents that never come back hold up none of those that follow. */
    @Test
    void agentOfTheNewestRevisionGetsAllThatAnOlderServerCan() throws Exception {
        // Changes of tools count in the first session, which is that of agents that are not asked.
        assertThat(called("{}")).contains("complete");
        assertThat(called("{\"elicitation\": {}}")).contains("input_required");
        judge("0.2.0-alpha.12", "2026-07-28", "older", "conformance-baseline-older-stateless.yaml");
    }

    /**
     * What a call of the agent that the suite says it is gets. Its sessions are open then: the
     * suite gives them 600 ms, in which no process starts for certain.
     */
    private static String called(String capabilities) throws Exception {
        HttpRequest call =
                HttpRequest.newBuilder(URI.create(endpoint("older")))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", "2026-07-28")
                        .header("Mcp-Method", "tools/call")
                        .header("Mcp-Name", "test_streaming_elicitation")
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        """
                                        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                                          "name": "test_streaming_elicitation", "arguments": {}, "_meta": {
                                            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                            "io.modelcontextprotocol/clientInfo":
                                              {"name": "conformance-client", "version": "1.0.0"},
                                            "io.modelcontextprotocol/clientCapabilities": %s}}}
                                        """
                                                .formatted(capabilities)))
                        .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(call, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    private static String endpoint(String line) {
        return orlojd.url() + "/mcp/default/mcpservers/" + line;
    }

    private static void judge(String suite, String revision, String line, String expected)
            throws Exception {
        Path baseline = packages.script(expected);
        String output =
                Command.run(
                        folder,
                        TIMEOUT,
                        List.of(
                                packages.node(),
                                packages.conformance(suite).toString(),
                                "server",
                                "--url",
                                endpoint(line),
                                "--suite",
                                "all",
                                "--spec-version",
                                revision,
                                "--expected-failures",
                                baseline.toString()));

        assertThat(output).contains("Baseline check passed");
        System.out.println(output.substring(output.indexOf("=== SUMMARY")));
    }
}
