package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** H-29: the alert rules ask for nothing that the server does not export. */
class AlertRulesTest {

    private static final Path RULES = Path.of("..", "deploy", "prometheus", "orloj.rules.yaml");
    private static final Pattern METRIC = Pattern.compile("\\b(orloj|workqueue)_[a-z_]+");

    @Test
    void eachMetricAndLabelOfTheRulesIsReported() throws IOException {
        List<String> queries =
                Files.readAllLines(RULES).stream()
                        .filter(line -> line.strip().startsWith("expr:"))
                        .toList();
        Set<String> asked =
                queries.stream()
                        .flatMap(query -> METRIC.matcher(query).results().map(MatchResult::group))
                        .collect(Collectors.toSet());
        assertThat(queries).hasSize(5);
        assertThat(asked).hasSizeGreaterThan(4);
        try (RunningOrlojd orlojd = RunningOrlojd.start()) {
            orlojd.client()
                    .create(
                            "default",
                            "mcpservers",
                            RunningOrlojd.stdio("s", List.of("/no/such/program")));

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () ->
                                    assertThat(metrics(orlojd))
                                            .contains(
                                                    "orloj_server_condition{condition=\"Ready\","
                                                            + "namespace=\"default\",server=\"s\","
                                                            + "status=\"false\"} 1",
                                                    "orloj_server_condition{condition=\"Ready\","
                                                            + "namespace=\"default\",server=\"s\","
                                                            + "status=\"true\"} 0",
                                                    "orloj_server_tools{namespace=\"default\","
                                                            + "server=\"s\"} 0",
                                                    "orloj_server_suspended{namespace=\"default\","
                                                            + "server=\"s\"} 0",
                                                    "orloj_leader 1",
                                                    "workqueue_oldest_age_seconds{name=\"mcpserver\"}",
                                                    "workqueue_queue_duration_seconds_bucket{name=\"mcpserver\",le=",
                                                    "workqueue_work_duration_seconds_bucket{name=\"mcpserver\",le="));
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () ->
                                    assertThat(metrics(orlojd))
                                            .contains(
                                                    "orloj_sessions_open_failures_total{"
                                                            + "namespace=\"default\",reason="));
            Set<String> reported =
                    metrics(orlojd)
                            .lines()
                            .filter(line -> !line.startsWith("#"))
                            .map(line -> line.replaceAll("[{ ].*", ""))
                            .collect(Collectors.toSet());
            assertThat(reported).containsAll(asked);
        }
    }

    private static String metrics(RunningOrlojd orlojd) {
        return orlojd.client().get("/metrics").expect(200).text();
    }
}
