package dev.orloj.benchmarks.footprint;

import dev.orloj.benchmarks.call.MemoryLoad;
import dev.orloj.benchmarks.call.TomcatFloor;
import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Rows;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.MeasuredProcess;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Memory of orlojd together with its PostgreSQL, shared pages counted once: when it is ready, and
 * after calls. Beside it the bare Tomcat after the same calls.
 */
public final class MemoryBenchmark implements Benchmark {

    private static final String LAUNCHER = "bin/orlojd, AOT cache";
    private static final String PLAIN = "orlojd, class path";
    private static final String FLOOR = "Tomcat floor";
    private static final String READY = "ready";
    private static final String LOADED = "after calls";
    private static final String ALL = "all";
    private static final String JVM = "jvm";
    private static final int MAX_ROUNDS = 3;
    private static final double MEBIBYTE = 1024 * 1024;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String summary() {
        return "memory of orlojd with its PostgreSQL, when ready and after calls";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        Rows rows = new Rows();
        Optional<Launcher> launcher =
                effort.slowParts() ? Launcher.warmedUp(workplace) : Optional.empty();
        for (int round = 0; round < Math.min(MAX_ROUNDS, effort.rounds()); round++) {
            try (MeasuredProcess floor = TomcatFloor.start(workplace)) {
                settle(effort);
                rows.add(FLOOR, READY, values(floor));
                MemoryLoad.floor(floor, effort);
                settle(effort);
                rows.add(FLOOR, LOADED, values(floor));
            }
            try (OrlojdProcess orlojd =
                    launcher.isPresent()
                            ? launcher.get().start(workplace.newFolder("memory"))
                            : OrlojdProcess.start(workplace, workplace.newFolder("memory"))) {
                String subject = launcher.isPresent() ? LAUNCHER : PLAIN;
                settle(effort);
                rows.add(subject, READY, values(orlojd.process()));
                MemoryLoad.orlojd(orlojd, effort);
                settle(effort);
                rows.add(subject, LOADED, values(orlojd.process()));
            }
        }
        return table(rows);
    }

    /** Until what a start or a load leaves behind is given back. */
    private static void settle(Effort effort) {
        LockSupport.parkNanos(effort.warmUp().toNanos() / 2);
    }

    private static Map<String, Double> values(MeasuredProcess process) {
        return Map.of(
                ALL, process.proportionalBytesWithChildren() / MEBIBYTE,
                JVM, process.proportionalBytes() / MEBIBYTE);
    }

    private Table table(Rows rows) {
        return new Table(
                name(),
                summary(),
                "when",
                List.of(
                        new Column(ALL, "with its processes, PSS MiB", 0),
                        new Column(JVM, "the JVM alone, PSS MiB", 0)),
                List.of(ALL, JVM),
                FLOOR,
                rows.list(),
                rows.list().stream()
                        .filter(row -> row.subject().equals(LAUNCHER))
                        .map(
                                row ->
                                        new Goal(
                                                "MiB of PSS " + row.load(),
                                                row.value(ALL).orElseThrow(),
                                                Goal.Bound.AT_MOST,
                                                row.load().equals(READY) ? 220 : 260))
                        .toList(),
                List.of(
                        "with its processes: PostgreSQL and the MCP server as well",
                        "the cache is a file of 105 MB that the JVM maps: a quarter of its memory"
                                + " is pages of that file, which the system can take back"));
    }
}
