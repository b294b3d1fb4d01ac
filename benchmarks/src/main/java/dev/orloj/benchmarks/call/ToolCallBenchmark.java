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
import dev.orloj.benchmarks.suite.Workplace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Calls of a warm tool through the REST endpoint, beside the least that such a call can cost, and
 * beside the transport alone. In every round all contestants take their turns at each number of
 * callers, so that whatever else the machine does meets them all.
 */
public final class ToolCallBenchmark implements Benchmark {

    private static final List<Integer> CALLERS = List.of(1, 8, 64);
    private static final int WARM_UP_CALLERS = 8;

    private static final String PER_SECOND = "calls/s";
    private static final String P50 = "p50";
    private static final String P99 = "p99";
    private static final String CPU = "cpu";
    private static final String ERRORS = "errors";

    @Override
    public String name() {
        return "call";
    }

    @Override
    public String summary() {
        return "POST .../tools/{name}/call over a warm stdio echo server";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        try (HttpContestant orlojd = HttpContestant.orlojd(workplace);
                HttpContestant floor = HttpContestant.floor(workplace);
                PipelineContestant pipeline = PipelineContestant.open();
                TransportContestant transport = TransportContestant.open();
                PipeContestant pipe = new PipeContestant()) {
            return new Run(effort, List.of(orlojd, floor, pipeline, transport, pipe)).table();
        }
    }

    /** Measurements of one run, as they come in. */
    private final class Run {

        private final Effort effort;
        private final List<Contestant> contestants;
        private final Rows rows = new Rows();
        private final Set<String> firstErrors = new LinkedHashSet<>();

        Run(Effort effort, List<Contestant> contestants) {
            this.effort = effort;
            this.contestants = contestants;
        }

        Table table() throws Exception {
            for (Contestant contestant : contestants) {
                ClosedLoop.run(WARM_UP_CALLERS, contestant::caller, effort.warmUp(), Duration.ZERO);
            }
            for (int round = 0; round < effort.rounds(); round++) {
                for (int callers : CALLERS) {
                    for (Contestant contestant : contestants) {
                        measure(contestant, callers);
                    }
                }
            }
            return report(rows.list());
        }

        private void measure(Contestant contestant, int callers) throws Exception {
            ClosedLoop.run(callers, contestant::caller, effort.settle(), Duration.ZERO);
            Optional<Duration> cpuBefore = contestant.cpu();
            LoadResult result =
                    ClosedLoop.run(callers, contestant::caller, Duration.ZERO, effort.slice());
            Map<String, Double> values = new LinkedHashMap<>();
            values.put(PER_SECOND, result.perSecond());
            values.put(P50, result.percentileMicros(50));
            values.put(P99, result.percentileMicros(99));
            values.put(ERRORS, (double) result.errors());
            long calls = result.latencies().count();
            if (cpuBefore.isPresent() && calls > 0) {
                Duration used = contestant.cpu().orElseThrow().minus(cpuBefore.get());
                values.put(CPU, used.toNanos() / 1e3 / calls);
            }
            rows.add(contestant.name(), Integer.toString(callers), values);
            result.firstError().ifPresent(e -> firstErrors.add(contestant.name() + ": " + e));
        }

        private Table report(List<Row> rows) {
            List<String> notes = new ArrayList<>(NOTES);
            firstErrors.forEach(error -> notes.add("first error of " + error));
            return new Table(
                    name(),
                    summary(),
                    "callers",
                    List.of(
                            new Column(PER_SECOND, "calls/s", 0),
                            new Column(P50, "p50 us", 1),
                            new Column(P99, "p99 us", 1),
                            new Column(CPU, "CPU us/call", 1),
                            new Column(ERRORS, "errors", 0)),
                    List.of(PER_SECOND, P50, P99, CPU),
                    HttpContestant.FLOOR,
                    rows,
                    goals(rows),
                    notes);
        }
    }

    private static List<Goal> goals(List<Row> rows) {
        List<Goal> goals = new ArrayList<>();
        goals.addAll(goal(rows, 1, P50, Goal.Bound.AT_MOST, 1.5));
        goals.addAll(goal(rows, 8, PER_SECOND, Goal.Bound.AT_LEAST, 0.6));
        goals.addAll(goal(rows, 64, P99, Goal.Bound.AT_MOST, 2));
        double errors =
                rows.stream()
                        .filter(row -> row.subject().equals(HttpContestant.ORLOJD))
                        .flatMap(row -> row.rounds().stream())
                        .mapToDouble(round -> round.getOrDefault(ERRORS, 0.0))
                        .sum();
        goals.add(new Goal("errors of orlojd", errors, Goal.Bound.AT_MOST, 0));
        return goals;
    }

    private static List<Goal> goal(
            List<Row> rows, int callers, String column, Goal.Bound bound, double limit) {
        return Table.ratioGoal(
                rows,
                HttpContestant.ORLOJD,
                HttpContestant.FLOOR,
                Integer.toString(callers),
                column,
                bound,
                limit);
    }

    private static final List<String> NOTES =
            List.of(
                    "closed loop: each caller sends its next call when the answer is there",
                    "orlojd and the floor run in JVMs of their own with the same flags, each with"
                            + " its own echo server; \"x\" compares with the floor",
                    "without HTTP, inside the JVM of the load driver: ToolCaller, which is all of a"
                            + " call; StdioTransport below it; and a bare pipe, the floor of those"
                            + " two");
}
