package dev.orloj.benchmarks;

import dev.orloj.benchmarks.access.AccessBenchmark;
import dev.orloj.benchmarks.call.ColdCallBenchmark;
import dev.orloj.benchmarks.call.GatewayBenchmark;
import dev.orloj.benchmarks.call.HttpBackendBenchmark;
import dev.orloj.benchmarks.call.TailBenchmark;
import dev.orloj.benchmarks.call.ToolCallBenchmark;
import dev.orloj.benchmarks.call.WarmSessionsBenchmark;
import dev.orloj.benchmarks.container.ContainerBenchmark;
import dev.orloj.benchmarks.ctl.CommandLineBenchmark;
import dev.orloj.benchmarks.footprint.ListenBenchmark;
import dev.orloj.benchmarks.footprint.MemoryBenchmark;
import dev.orloj.benchmarks.footprint.SleepingListBenchmark;
import dev.orloj.benchmarks.footprint.SleepingServersBenchmark;
import dev.orloj.benchmarks.footprint.StartBenchmark;
import dev.orloj.benchmarks.history.CommitRuns;
import dev.orloj.benchmarks.history.History;
import dev.orloj.benchmarks.ledger.LedgerReplayBenchmark;
import dev.orloj.benchmarks.ledger.SyncBenchmark;
import dev.orloj.benchmarks.many.BrokenServersBenchmark;
import dev.orloj.benchmarks.many.ManyConfigMapsBenchmark;
import dev.orloj.benchmarks.many.ManyServersBenchmark;
import dev.orloj.benchmarks.micro.MicroBenchmark;
import dev.orloj.benchmarks.replicas.ReplicasBenchmark;
import dev.orloj.benchmarks.report.Machine;
import dev.orloj.benchmarks.report.Report;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.scale.ScaleBenchmark;
import dev.orloj.benchmarks.store.StoreWriteBenchmark;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.Workplace;
import dev.orloj.benchmarks.watch.WatchLatencyBenchmark;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Runs benchmarks one after the other, prints their tables and leaves a JSON file. */
public final class Benchmarks {

    static final List<Benchmark> ALL =
            List.of(
                    new ToolCallBenchmark(),
                    new GatewayBenchmark(),
                    new TailBenchmark(),
                    new AccessBenchmark(),
                    new HttpBackendBenchmark(),
                    new ColdCallBenchmark(),
                    new WarmSessionsBenchmark(),
                    new StoreWriteBenchmark(),
                    new ManyConfigMapsBenchmark(),
                    new ManyServersBenchmark(),
                    new BrokenServersBenchmark(),
                    new LedgerReplayBenchmark(),
                    new SyncBenchmark(),
                    new WatchLatencyBenchmark(),
                    new ScaleBenchmark(),
                    new ReplicasBenchmark(),
                    new CommandLineBenchmark(),
                    new StartBenchmark(),
                    new MemoryBenchmark(),
                    new SleepingServersBenchmark(),
                    new SleepingListBenchmark(),
                    new ListenBenchmark(),
                    new ContainerBenchmark(),
                    new MicroBenchmark());

    private static final int WORSE = 3;

    private Benchmarks() {}

    /**
     * Exit codes: 0 measured, 1 a benchmark could not be run, 2 wrong command line, 3 a commit is
     * worse than another.
     */
    public static void main(String[] args) throws Exception {
        CommandLine commandLine;
        List<Benchmark> chosen;
        try {
            commandLine = CommandLine.parse(args);
            chosen = chosen(commandLine.names());
        } catch (IllegalArgumentException e) {
            System.err.println("benchmark: " + e.getMessage() + "\n" + CommandLine.USAGE);
            System.exit(2);
            return;
        }
        if (commandLine.list()) {
            ALL.forEach(b -> System.out.printf("%-10s %s%n", b.name(), b.summary()));
            return;
        }
        if (!commandLine.compare().isEmpty()) {
            System.exit(compare(commandLine) ? WORSE : 0);
        }
        try (Workplace workplace = Workplace.create(commandLine.jvmFlags())) {
            Report report = run(chosen, commandLine.effort(), workplace, System.out);
            Path file = report.writeTo(commandLine.results());
            System.out.println("written to " + file);
            if (commandLine.record()) {
                History history = new History(root().resolve("benchmarks/history.csv"));
                System.out.printf("%d lines added to %s%n", history.append(report), history.file());
            }
        }
    }

    private static boolean compare(CommandLine commandLine) throws Exception {
        return new CommitRuns(root(), System.out)
                .compare(
                        commandLine.compare().getFirst(),
                        commandLine.compare().getLast(),
                        commandLine.names(),
                        commandLine.effort().equals(Effort.QUICK) ? List.of("--quick") : List.of(),
                        commandLine.rounds());
    }

    private static Path root() {
        return Path.of(System.getProperty("orloj.root", "")).toAbsolutePath();
    }

    /** Runs the benchmarks and prints each table as soon as it is there. */
    static Report run(List<Benchmark> chosen, Effort effort, Workplace workplace, PrintStream out)
            throws Exception {
        Instant startedAt = Instant.now();
        Machine machine = Machine.current(System.getProperty("orloj.commit", "unknown"));
        out.println(machine.text());
        out.printf("jvm      %s%n%n", String.join(" ", workplace.jvmFlags()));
        List<Table> tables = new ArrayList<>();
        for (Benchmark benchmark : chosen) {
            Table table = benchmark.run(effort, workplace);
            out.println(table.text());
            tables.add(table);
        }
        return new Report(startedAt, machine, effort.name(), workplace.jvmFlags(), tables);
    }

    private static List<Benchmark> chosen(List<String> names) {
        for (String name : names) {
            if (ALL.stream().noneMatch(benchmark -> benchmark.name().equals(name))) {
                throw new IllegalArgumentException("no benchmark is called \"%s\"".formatted(name));
            }
        }
        return ALL.stream()
                .filter(benchmark -> names.isEmpty() || names.contains(benchmark.name()))
                .toList();
    }
}
