package dev.orloj.benchmarks.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Machine;
import dev.orloj.benchmarks.report.Report;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Table;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

@DisplayName("18: ratios are recorded, and those of two commits are compared")
class ComparisonTest {

    @TempDir private Path folder;

    private int runs;

    private static Report report(String commit, double perSecond, double p99) {
        Table table =
                new Table(
                        "call",
                        "Calls",
                        "callers",
                        List.of(new Column("rate", "calls/s", 0), new Column("p99", "p99 us", 0)),
                        List.of("rate", "p99"),
                        "floor",
                        List.of(
                                Row.once("ours", "8", Map.of("rate", perSecond, "p99", p99)),
                                Row.once("floor", "8", Map.of("rate", 1_000.0, "p99", 100.0))),
                        List.of(),
                        List.of());
        Machine machine = new Machine("Linux", "A \"fast\" CPU, 3 GHz", 2, 1, 0, "JDK", commit);
        return new Report(
                Instant.parse("2026-11-22T10:00:00Z"), machine, "full", List.of(), List.of(table));
    }

    private Path run(double perSecond, double p99) throws IOException {
        return report("abc", perSecond, p99).writeTo(folder.resolve("run-" + runs++));
    }

    @Test
    void fewerCallsAndLongerTailsAreWorse() throws IOException {
        Comparison comparison = new Comparison();
        for (int round = 0; round < 5; round++) {
            comparison.add(run(800, 150), run(700, 150 + round));
        }

        assertThat(comparison.lines()).hasSize(2);
        assertThat(comparison.regressions())
                .singleElement()
                .asString()
                .contains("call", "ours", "calls/s", "14.3 %");
    }

    @Test
    void moreCallsAndShorterTailsAreBetter() throws IOException {
        Comparison comparison = new Comparison();
        for (int round = 0; round < 5; round++) {
            comparison.add(run(700, 170), run(800, 150));
        }

        assertThat(comparison.regressions()).isEmpty();
        assertThat(comparison.lines()).allMatch(line -> line.startsWith("better"));
    }

    @Test
    void historyHasALineForEachRatioOfEachRun() throws IOException {
        History history = new History(folder.resolve("history.csv"));

        assertThat(history.append(report("abc", 800, 150))).isEqualTo(2);
        history.append(report("def", 900, 140));

        assertThat(Files.readAllLines(history.file()))
                .hasSize(5)
                .startsWith(
                        "date,commit,effort,machine,load before,"
                                + "benchmark,at,subject,quantity,ratio,relative to",
                        "2026-11-22,abc,full,\"2 x A \"\"fast\"\" CPU, 3"
                                + " GHz\",0.00,call,8,ours,rate,0.800,floor")
                .last()
                .asString()
                .endsWith("ours,p99,1.400,floor");
    }

    @Test
    void runWithLocalChangesIsNotRecorded() {
        History history = new History(folder.resolve("history.csv"));

        assertThatThrownBy(() -> history.append(report("abc+", 800, 150)))
                .hasMessageContaining("commit them first");
        assertThat(history.file()).doesNotExist();
    }
}
