package dev.orloj.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The official conformance suite, as the judge of the MCP endpoints: against servers of ours that
 * have what the suite asks for by name, each behind the endpoint that shows one server as itself.
 * One speaks the older revisions, the other 2026-07-28, so that agents of both kinds meet servers
 * of both. What fails has to stand in the baseline, and what stands there has to fail.
 *
 * <p>{@code ORLOJ_ACCEPTANCE_CONFORMANCE} names a folder that the npm packages are kept in.
 */
@Tag("acceptance")
@EnabledIfEnvironmentVariable(
        named = McpConformanceTest.PACKAGES,
        matches = ".+",
        disabledReason = "ORLOJ_ACCEPTANCE_CONFORMANCE names no folder for npm packages")
class McpConformanceTest {

    static final String PACKAGES = "ORLOJ_ACCEPTANCE_CONFORMANCE";

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir private static Path folder;

    private static NodePackages packages;
    private static OrlojdProcess orlojd;

    @BeforeAll
    static void serverIsReady() throws Exception {
        packages = NodePackages.install(Path.of(System.getenv(PACKAGES)));
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
    static void stop() {
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
        Path baseline = packages.script("conformance-baseline-%s.yaml".formatted(line));
        String output =
                Command.run(
                        folder,
                        PATIENCE,
                        List.of(
                                packages.node(),
                                packages.conformance(suite).toString(),
                                "server",
                                "--url",
                                orlojd.url() + "/mcp/default/mcpservers/" + line,
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
