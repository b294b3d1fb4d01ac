package dev.orloj.benchmarks.footprint;

import dev.orloj.benchmarks.call.TomcatFloor;
import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Rows;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.MeasuredProcess;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * From the start of the process until orlojd says that it is ready, on embedded PostgreSQL: with an
 * empty data directory, and with one that was used before. Beside it the bare Tomcat, which has
 * nothing to start but itself.
 */
public final class StartBenchmark implements Benchmark {

    private static final int MAX_ROUNDS = 3;
    private static final String FIRST = "first";
    private static final String SECOND = "second";
    private static final String PLAIN = "orlojd, class path";
    private static final String LAUNCHER = "bin/orlojd, AOT cache";
    private static final String FLOOR = "Tomcat floor";
    private static final String READY = "ready";
    private static final String CPU = "cpu";
    private static final String RESIDENT = "resident";

    @Override
    public String name() {
        return "start";
    }

    @Override
    public String summary() {
        return "from the start of the process to ready, and resident memory";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        Rows rows = new Rows();
        Optional<Launcher> launcher =
                effort.slowParts() ? Launcher.warmedUp(workplace) : Optional.empty();
        for (int round = 0; round < Math.min(MAX_ROUNDS, effort.rounds()); round++) {
            Path plain = workplace.newFolder("start");
            Path launched = workplace.newFolder("start");
            for (String start : List.of(FIRST, SECOND)) {
                try (MeasuredProcess floor = TomcatFloor.start(workplace)) {
                    rows.add(FLOOR, start, values(floor));
                }
                try (OrlojdProcess orlojd = OrlojdProcess.start(workplace, plain)) {
                    rows.add(PLAIN, start, values(orlojd.process()));
                }
                if (launcher.isPresent()) {
                    try (OrlojdProcess orlojd = launcher.get().start(launched)) {
                        rows.add(LAUNCHER, start, values(orlojd.process()));
                    }
                }
            }
        }
        return table(rows.list());
    }

    private static Map<String, Double> values(MeasuredProcess process) {
        return Map.of(
                READY,
                process.readyAfter().toNanos() / 1e9,
                CPU,
                process.cpu().toNanos() / 1e9,
                RESIDENT,
                process.residentBytes() / 1024.0 / 1024);
    }

    private Table table(List<Row> rows) {
        List<Goal> goals = new ArrayList<>();
        goals.addAll(goal(rows, "seconds to ready, first start", FIRST, READY, 4));
        goals.addAll(goal(rows, "seconds to ready, second start", SECOND, READY, 2.5));
        goals.addAll(goal(rows, "MiB resident when ready", SECOND, RESIDENT, 250));
        return new Table(
                name(),
                summary(),
                "start",
                List.of(
                        new Column(READY, "ready s", 2),
                        new Column(CPU, "CPU s", 2),
                        new Column(RESIDENT, "resident MiB", 0)),
                List.of(READY, RESIDENT),
                FLOOR,
                rows,
                goals,
                List.of(
                        "first: with an empty data directory, PostgreSQL is unpacked and created;"
                                + " second: with that directory",
                        "resident: the JVM alone, without PostgreSQL"));
    }

    /** Goals are for what people start; without it there are none. */
    private static List<Goal> goal(
            List<Row> rows, String text, String start, String column, double limit) {
        return Table.find(rows, LAUNCHER, start).stream()
                .flatMapToDouble(row -> row.value(column).stream())
                .mapToObj(value -> new Goal(text, value, Goal.Bound.AT_MOST, limit))
                .toList();
    }
}
