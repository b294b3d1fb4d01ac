package dev.orloj.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.orloj.api.codec.Json;
import dev.orloj.benchmarks.call.GatewayBenchmark;
import dev.orloj.benchmarks.container.ContainerBenchmark;
import dev.orloj.benchmarks.ctl.CommandLineBenchmark;
import dev.orloj.benchmarks.footprint.StartBenchmark;
import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Report;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.Workplace;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Runs the benchmarks for a moment, so that they go on working; says nothing of speed. Left out is
 * the one that starts orlojd again and again, as the others do once each.
 */
class BenchmarksTest {

    private static final Effort GLANCE =
            new Effort(
                    "glance",
                    1,
                    Duration.ofMillis(100),
                    Duration.ofMillis(20),
                    Duration.ofMillis(100),
                    3,
                    false,
                    0);
    private static final List<String> FAST_START =
            List.of(
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Xmx256m",
                    "--enable-native-access=ALL-UNNAMED");

    private static final List<Benchmark> CHOSEN =
            Benchmarks.ALL.stream()
                    .filter(b -> !(b instanceof StartBenchmark))
                    // Needs an engine, which a machine that builds Orloj may do without.
                    .filter(b -> !(b instanceof ContainerBenchmark))
                    // Fetches kubectl, and measures what is packaged after this test.
                    .filter(b -> !(b instanceof CommandLineBenchmark))
                    // Fetches packages from npm.
                    .filter(b -> !(b instanceof GatewayBenchmark))
                    .toList();

    @TempDir private Path results;

    private static Stream<Named<Benchmark>> chosen() {
        return CHOSEN.stream().map(benchmark -> Named.of(benchmark.name(), benchmark));
    }

    /** Several at once, since nothing depends on what they measure here. */
    @ParameterizedTest
    @MethodSource("chosen")
    @Execution(CONCURRENT)
    void benchmarkMeasuresWhatTheReportHolds(Benchmark benchmark) throws Exception {
        assertThat(glance(List.of(benchmark)).tables())
                .as(benchmark.name())
                .hasSize(1)
                .allSatisfy(BenchmarksTest::isSound);
    }

    @Test
    void reportHoldsTheTablesOfAllThatWereChosen() throws Exception {
        assertThat(glance(List.of(new Written("one"), new Written("two"))).tables())
                .extracting(Table::name)
                .containsExactly("one", "two");
    }

    /** A benchmark that has measured already. */
    private record Written(String name) implements Benchmark {

        @Override
        public String summary() {
            return "the benchmark " + name;
        }

        @Override
        public Table run(Effort effort, Workplace workplace) {
            return new Table(
                    name,
                    summary(),
                    "",
                    List.of(new Column("time", "ms", 1)),
                    List.of("time"),
                    "floor",
                    List.of(
                            Row.once("floor", "", Map.of("time", 1.0)),
                            Row.once("Orloj", "", Map.of("time", 2.0))),
                    List.of(),
                    List.of());
        }
    }

    /** Runs them for a moment; what is printed and what is written is what the report holds. */
    private Report glance(List<Benchmark> benchmarks) throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Report report;
        try (Workplace workplace = Workplace.create(FAST_START);
                PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            report = Benchmarks.run(benchmarks, GLANCE, workplace, out);
        }
        Path file = report.writeTo(results);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains(report.tables().stream().map(Table::text).toList());
        assertThat(Json.MAPPER.readTree(Files.readString(file)).path("benchmarks"))
                .hasSameSizeAs(benchmarks);
        return report;
    }

    private static void isSound(Table table) {
        assertThat(table.rows()).isNotEmpty().allSatisfy(row -> isMeasured(row));
        assertThat(table.rows()).anyMatch(row -> row.subject().equals(table.baseline()));
        assertThat(table.rows()).anyMatch(row -> !row.subject().equals(table.baseline()));
        assertThat(table.notes()).noneMatch(note -> note.startsWith("first error"));
    }

    private static void isMeasured(Row row) {
        assertThat(row.rounds())
                .as(row.subject())
                .isNotEmpty()
                .allSatisfy(
                        round ->
                                assertThat(round.getOrDefault("errors", 0.0))
                                        .as(row.subject())
                                        .isZero());
    }
}
