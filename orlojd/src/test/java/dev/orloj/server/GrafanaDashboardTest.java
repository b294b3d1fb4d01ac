package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The dashboard asks for nothing that the server does not export. */
class GrafanaDashboardTest {

    private static final Path DASHBOARD = Path.of("..", "deploy", "grafana", "orloj.json");
    private static final Pattern METRIC =
            Pattern.compile("\\b(orloj|mcp|jvm|process|hikaricp)_[a-z0-9_]+");

    @TempDir Path folder;

    @Test
    void eachMetricOfTheDashboardIsReported() throws IOException {
        Set<String> asked =
                Json.MAPPER
                        .readTree(Files.readAllBytes(DASHBOARD))
                        .findValuesAsString("expr")
                        .stream()
                        .flatMap(query -> METRIC.matcher(query).results().map(MatchResult::group))
                        .collect(Collectors.toSet());
        assertThat(asked).hasSizeGreaterThan(8);
        FakeStdioServer fake =
                FakeStdioServer.in(folder, FakeScript.wellBehaved().tools("add", "echo"));
        try (RunningOrlojd orlojd = RunningOrlojd.start()) {
            orlojd.client()
                    .create("default", "mcpservers", RunningOrlojd.stdio("s", fake.command()));
            orlojd.client()
                    .create(
                            "default",
                            "mcpservers",
                            RunningOrlojd.stdio("broken", List.of("/no/such/program")));
            orlojd.awaitReady("default", "s");
            await().atMost(Duration.ofSeconds(60)).until(() -> call(orlojd) == 200);
            orlojd.client()
                    .patch(
                            RestClient.collection("default", "mcpservers") + "/s",
                            "{\"spec\":{\"suspend\":true}}")
                    .expect(200);

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(reported(orlojd)).containsAll(asked));
            assertThat(metrics(orlojd))
                    .contains(
                            "orloj_tool_calls_seconds_count{namespace=\"default\","
                                    + "outcome=\"Completed\",server=\"s\"}")
                    .contains("orloj_sessions_opened_total{namespace=\"default\",server=\"s\"} 1");
        }
    }

    private static int call(RunningOrlojd orlojd) {
        return orlojd.client().call("default", "s--add", "{\"a\":1,\"b\":2}").code();
    }

    private static Set<String> reported(RunningOrlojd orlojd) {
        return metrics(orlojd)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceAll("[{ ].*", ""))
                .collect(Collectors.toSet());
    }

    private static String metrics(RunningOrlojd orlojd) {
        return orlojd.client().get("/metrics").expect(200).text();
    }
}
