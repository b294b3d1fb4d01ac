package dev.orloj.benchmarks.many;

import dev.orloj.benchmarks.database.Database;
import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Rows;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.store.BarePut;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Many plain ConfigMaps created by one {@code orlojctl apply}, beside as many calls of the bare SQL
 * function by one writer in the same database.
 */
public final class ManyConfigMapsBenchmark implements Benchmark {

    private static final String APPLY = "orlojctl apply";
    private static final String BARE = "bare function, one writer";
    private static final String MILLIS = "ms";
    private static final String CPU = "cpu";
    private static final double MAX_RATIO = 5;

    @Override
    public String name() {
        return "apply";
    }

    @Override
    public String summary() {
        return "many ConfigMaps created by one orlojctl apply";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        int count = effort.objects();
        Path folder = workplace.newFolder("apply");
        Rows rows = new Rows();
        try (Database database = Database.create(workplace.newFolder("apply-database"));
                OrlojdProcess orlojd =
                        OrlojdProcess.start(
                                workplace,
                                folder.resolve("data"),
                                database.options().toArray(String[]::new))) {
            BarePut.createIn(database);
            apply(orlojd, folder, "warm", count);
            bare(database, "warm", count);
            for (int round = 0; round < effort.rounds(); round++) {
                rows.add(BARE, "", Map.of(MILLIS, bare(database, "r" + round, count)));
                rows.add(APPLY, "", apply(orlojd, folder, "r" + round, count));
            }
        }
        return table(rows.list(), count);
    }

    private static Map<String, Double> apply(
            OrlojdProcess orlojd, Path folder, String prefix, int count)
            throws IOException, InterruptedException {
        String manifests =
                IntStream.range(0, count)
                        .mapToObj(n -> manifest(prefix + "-" + n))
                        .collect(Collectors.joining());
        double cpu = orlojd.process().cpu().toNanos() / 1e6;
        long start = System.nanoTime();
        Orlojctl.apply(orlojd, folder, manifests);
        return Map.of(
                MILLIS,
                (System.nanoTime() - start) / 1e6 / count,
                CPU,
                (orlojd.process().cpu().toNanos() / 1e6 - cpu) / count);
    }

    private static String manifest(String name) {
        return """
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: %s}
        data: {first: "one", second: "some words that are a little longer"}
        """
                .formatted(name);
    }

    private static double bare(Database database, String prefix, int count) throws SQLException {
        long start = System.nanoTime();
        try (Connection connection = database.connect();
                PreparedStatement put = connection.prepareStatement(BarePut.CALL)) {
            for (int n = 0; n < count; n++) {
                put.setString(1, prefix + "-" + n);
                put.setLong(2, 0);
                put.setString(3, "{\"data\": {\"first\": \"one\", \"second\": \"some words\"}}");
                put.executeQuery().close();
            }
        }
        return (System.nanoTime() - start) / 1e6 / count;
    }

    private Table table(List<Row> rows, int count) {
        Row apply = Table.find(rows, APPLY, "").orElseThrow();
        Row bare = Table.find(rows, BARE, "").orElseThrow();
        return new Table(
                name(),
                summary(),
                "",
                List.of(
                        new Column(MILLIS, "ms each", 2),
                        new Column(CPU, "CPU ms of orlojd each", 2)),
                List.of(MILLIS),
                BARE,
                rows,
                List.of(
                        new Goal(
                                "ms of an apply beside those of the bare function",
                                apply.ratioTo(bare, MILLIS).orElseThrow(),
                                Goal.Bound.AT_MOST,
                                MAX_RATIO)),
                List.of(
                        count
                                + " ConfigMaps in one file; the whole process counts, with the"
                                + " start of its JVM and without its ahead-of-time cache",
                        "one PostgreSQL for both, with fsync"));
    }
}
