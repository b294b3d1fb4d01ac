package dev.orloj.benchmarks.scale;

import dev.orloj.benchmarks.database.Database;
import dev.orloj.benchmarks.load.Histogram;
import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Rows;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.LiveHeap;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How what one client does grows with the number of Tools: by what is shown, and not by what there
 * is. One orlojd, whose controllers cache all of them, on a database that grows.
 */
public final class ScaleBenchmark implements Benchmark {

    private static final List<Integer> FACTORS = List.of(1, 10, 100);
    private static final int FEWEST_TURNS = 3;
    private static final String HEAP = "heap of orlojd";
    private static final String P50 = "p50";
    private static final String P99 = "p99";
    private static final String PER_TOOL = "kB per Tool";
    private static final String HEAP_MB = "MB";

    @Override
    public String name() {
        return "scale";
    }

    @Override
    public String summary() {
        return "one client at a time, with ever more Tools";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        Rows rows = new Rows();
        int smallest = effort.objects();
        try (Database database = Database.create(workplace.newFolder("scale"));
                OrlojdProcess orlojd =
                        OrlojdProcess.start(
                                workplace,
                                workplace.newFolder("orlojd"),
                                database.options().toArray(String[]::new))) {
            Inventory inventory = new Inventory(database.store());
            long empty = LiveHeap.bytes(orlojd);
            for (int factor : FACTORS) {
                inventory.growTo(smallest * factor);
                database.vacuum();
                String subject = subject(inventory.size());
                try (ClientOperation.Client client =
                        new ClientOperation.Client(orlojd, inventory)) {
                    for (ClientOperation operation : ClientOperation.values()) {
                        client.prepare(factor + operation.ordinal());
                        measure(client, operation, effort.warmUp().dividedBy(5));
                        for (int round = 0; round < effort.rounds(); round++) {
                            rows.add(
                                    subject,
                                    operation.title(),
                                    measure(client, operation, effort.slice()));
                        }
                    }
                }
                double heap = LiveHeap.bytes(orlojd) - empty;
                rows.add(
                        subject,
                        HEAP,
                        Map.of(PER_TOOL, heap / 1e3 / inventory.size(), HEAP_MB, heap / 1e6));
            }
        }
        return table(rows.list(), smallest);
    }

    private static Map<String, Double> measure(
            ClientOperation.Client client, ClientOperation operation, Duration duration)
            throws IOException {
        Histogram latencies = new Histogram();
        long end = System.nanoTime() + duration.toNanos();
        for (long turn = 0; turn < FEWEST_TURNS || System.nanoTime() - end < 0; turn++) {
            long start = System.nanoTime();
            operation.perform(client, Math.abs(start));
            latencies.record(System.nanoTime() - start);
        }
        return Map.of(P50, latencies.percentile(50) / 1e6, P99, latencies.percentile(99) / 1e6);
    }

    private static String subject(int size) {
        return "%,d Tools".formatted(size);
    }

    private Table table(List<Row> rows, int smallest) {
        String largest = subject(smallest * FACTORS.getLast());
        return new Table(
                name(),
                summary(),
                "operation",
                List.of(
                        new Column(P50, "p50 ms", 2),
                        new Column(P99, "p99 ms", 2),
                        new Column(HEAP_MB, "heap MB", 1),
                        new Column(PER_TOOL, "kB per Tool", 2)),
                List.of(P50, PER_TOOL),
                subject(smallest),
                rows,
                List.of(
                        goal(rows, largest, ClientOperation.FIRST_PAGE),
                        goal(rows, largest, ClientOperation.LATER_PAGE),
                        goal(rows, largest, ClientOperation.SELECTION)),
                List.of(
                        "over HTTP, on one connection, until the answer is read; a page has some"
                                + " 400 kB",
                        "heap: all live objects after a full collection, less those of an empty"
                                + " orlojd; its controllers cache every Tool"));
    }

    private static Goal goal(List<Row> rows, String largest, ClientOperation operation) {
        Row row = Table.find(rows, largest, operation.title()).orElseThrow();
        return new Goal(
                "p50 of %s in ms, %s".formatted(operation.title(), largest),
                row.value(P50).orElseThrow(),
                Goal.Bound.AT_MOST,
                10);
    }
}
