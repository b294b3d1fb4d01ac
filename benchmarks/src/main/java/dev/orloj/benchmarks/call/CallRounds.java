package dev.orloj.benchmarks.call;

import dev.orloj.benchmarks.load.ClosedLoop;
import dev.orloj.benchmarks.load.LoadResult;
import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Rows;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Effort;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Measurements of contestants as they come in. In every round all contestants take their turns at
 * each number of callers, so that whatever else the machine does meets them all.
 */
public final class CallRounds {

    public static final String PER_SECOND = "calls/s";
    public static final String P50 = "p50";
    static final String P99 = "p99";
    static final String ERRORS = "errors";

    static final List<Integer> CALLERS = List.of(1, 8, 64);
    private static final String CPU = "cpu";
    private static final int WARM_UP_CALLERS = 8;

    private final Effort effort;
    private final List<Contestant> contestants;
    private final Rows rows = new Rows();
    private final Set<String> firstErrors = new LinkedHashSet<>();

    public CallRounds(Effort effort, List<? extends Contestant> contestants) {
        this.effort = effort;
        this.contestants = List.copyOf(contestants);
    }

    /** Measures, which takes as long as the effort says. */
    public CallRounds run() throws Exception {
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
        return this;
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

    public List<Row> rows() {
        return rows.list();
    }

    /** All of it, relative to the floor. */
    Table table(String name, String summary, List<Goal> goals, List<String> notes) {
        return table(name, summary, HttpContestant.FLOOR, goals, notes);
    }

    /** All of it, relative to one of the contestants. */
    public Table table(
            String name, String summary, String baseline, List<Goal> goals, List<String> notes) {
        List<String> allNotes = new ArrayList<>(notes);
        firstErrors.forEach(error -> allNotes.add("first error of " + error));
        return new Table(
                name,
                summary,
                "callers",
                List.of(
                        new Column(PER_SECOND, "calls/s", 0),
                        new Column(P50, "p50 us", 1),
                        new Column(P99, "p99 us", 1),
                        new Column(CPU, "CPU us/call", 1),
                        new Column(ERRORS, "errors", 0)),
                List.of(PER_SECOND, P50, P99, CPU),
                baseline,
                rows(),
                goals,
                allNotes);
    }

    /** What a way to call orlojd ought to reach, relative to the floor. */
    List<Goal> goals(String subject) {
        List<Goal> goals = new ArrayList<>();
        goals.addAll(goal(subject, 1, P50, Goal.Bound.AT_MOST, 1.5));
        goals.addAll(goal(subject, 8, PER_SECOND, Goal.Bound.AT_LEAST, 0.6));
        goals.addAll(goal(subject, 64, P99, Goal.Bound.AT_MOST, 2));
        goals.add(new Goal("errors of " + subject, errors(subject), Goal.Bound.AT_MOST, 0));
        return goals;
    }

    private List<Goal> goal(
            String subject, int callers, String column, Goal.Bound bound, double limit) {
        return Table.ratioGoal(
                rows(),
                subject,
                HttpContestant.FLOOR,
                Integer.toString(callers),
                column,
                bound,
                limit);
    }

    /** Returns how many calls of a contestant failed. */
    public double errors(String subject) {
        return rows().stream()
                .filter(row -> row.subject().equals(subject))
                .flatMap(row -> row.rounds().stream())
                .mapToDouble(round -> round.getOrDefault(ERRORS, 0.0))
                .sum();
    }
}
