package dev.orloj.benchmarks.call;

import dev.orloj.benchmarks.load.ClosedLoop;
import dev.orloj.benchmarks.load.LoadResult;
import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Rows;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The slowest of the calls of eight callers through each way to call a tool, beside the least that
 * a gateway can cost in the same JVM, and the garbage collections that the calls met: where their
 * time is near that of the slowest calls, it is they that limit the tail.
 */
public final class TailBenchmark implements Benchmark {

    private static final int CALLERS = 8;
    private static final String P50 = "p50";
    private static final String P99 = "p99";
    private static final String P999 = "p99.9";
    private static final String PAUSE = "pause";
    private static final String PAUSED = "paused";
    private static final double GOAL = 1.5;

    /** A contestant, and what its JVM writes about its collections. */
    private record Measured(HttpContestant contestant, GcLog log) {}

    @Override
    public String name() {
        return "tail";
    }

    @Override
    public String summary() {
        return "the slowest tools/call of 8 callers, and the collections that they met";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        GcLog ours = new GcLog(workplace.folder().resolve("gc-orlojd.log"));
        GcLog floors = new GcLog(workplace.folder().resolve("gc-floor.log"));
        try (OrlojdProcess orlojd = HttpContestant.start(logging(workplace, ours.file()));
                HttpContestant floor = HttpContestant.floor(logging(workplace, floors.file()))) {
            HttpCall inSession = HttpCall.inSession(orlojd.url(), HttpContestant.ENDPOINT);
            HttpCall stateless = HttpCall.stateless(HttpContestant.ENDPOINT);
            List<Measured> all =
                    List.of(
                            of("orlojd REST", orlojd, HttpContestant.rest(), ours),
                            of("orlojd /mcp 2026-07-28", orlojd, stateless, ours),
                            of("orlojd /mcp 2025-11-25", orlojd, inSession, ours),
                            new Measured(floor, floors));
            for (Measured each : all) {
                ClosedLoop.run(CALLERS, each.contestant()::caller, effort.warmUp(), Duration.ZERO);
            }
            Rows rows = new Rows();
            for (int round = 0; round < effort.rounds(); round++) {
                for (Measured each : all) {
                    rows.add(each.contestant().name(), "", measure(each, effort));
                }
            }
            return table(rows);
        }
    }

    private static Measured of(String name, OrlojdProcess orlojd, HttpCall call, GcLog log) {
        return new Measured(HttpContestant.of(name, orlojd, call), log);
    }

    private static Workplace logging(Workplace workplace, Path file) {
        return new Workplace(
                workplace.folder(),
                Stream.concat(
                                workplace.jvmFlags().stream(),
                                Stream.of("-Xlog:gc:file=" + file + "::filecount=0"))
                        .toList());
    }

    private static Map<String, Double> measure(Measured measured, Effort effort) throws Exception {
        HttpContestant contestant = measured.contestant();
        ClosedLoop.run(CALLERS, contestant::caller, effort.settle(), Duration.ZERO);
        int position = measured.log().position();
        LoadResult result =
                ClosedLoop.run(CALLERS, contestant::caller, Duration.ZERO, effort.slice());
        List<Double> pauses = measured.log().pausesSince(position);
        double paused = pauses.stream().mapToDouble(Double::doubleValue).sum();
        Map<String, Double> values = new HashMap<>();
        values.put(P50, result.percentileMicros(50));
        values.put(P99, result.percentileMicros(99));
        values.put(P999, result.percentileMicros(99.9));
        values.put(PAUSE, pauses.isEmpty() ? 0 : paused / pauses.size());
        values.put(PAUSED, 100 * paused / effort.slice().toMillis());
        return values;
    }

    private Table table(Rows rows) {
        List<Goal> goals = new ArrayList<>();
        rows.list().stream()
                .map(Row::subject)
                .filter(subject -> !subject.equals(HttpContestant.FLOOR))
                .forEach(
                        subject ->
                                goals.addAll(
                                        Table.ratioGoal(
                                                rows.list(),
                                                subject,
                                                HttpContestant.FLOOR,
                                                "",
                                                P99,
                                                Goal.Bound.AT_MOST,
                                                GOAL)));
        return new Table(
                name(),
                summary(),
                "",
                List.of(
                        new Column(P50, "p50 us", 0),
                        new Column(P99, "p99 us", 0),
                        new Column(P999, "p99.9 us", 0),
                        new Column(PAUSE, "mean pause ms", 2),
                        new Column(PAUSED, "% of time paused", 1)),
                List.of(P50, P99, P999),
                HttpContestant.FLOOR,
                rows.list(),
                goals,
                List.of(
                        "a collection stops all calls: where more than 1 % of the time is paused,"
                                + " p99 is no shorter than a pause"));
    }
}
