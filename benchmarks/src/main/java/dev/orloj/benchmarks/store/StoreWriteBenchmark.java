package dev.orloj.benchmarks.store;

import dev.orloj.benchmarks.database.Database;
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
import java.util.List;
import java.util.Map;

/** Durable writes of documents, one by one, beside what PostgreSQL can do at the same moment. */
public final class StoreWriteBenchmark implements Benchmark {

    private static final List<Integer> WRITERS = List.of(1, 8);
    private static final String MAX_WRITERS = "8";
    private static final String PER_SECOND = "writes/s";
    private static final String P50 = "p50";
    private static final String P99 = "p99";
    private static final String ERRORS = "errors";

    @Override
    public String name() {
        return "store";
    }

    @Override
    public String summary() {
        return "durable writes of one document at a time";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        Rows rows = new Rows();
        try (Database database = Database.create(workplace.newFolder("store"))) {
            BarePut.createIn(database);
            for (StoreContestant contestant : StoreContestant.values()) {
                load(database, contestant, 8, effort.warmUp().dividedBy(4), Duration.ZERO);
            }
            for (int round = 0; round < effort.rounds(); round++) {
                for (int writers : WRITERS) {
                    for (StoreContestant contestant : StoreContestant.values()) {
                        rows.add(
                                contestant.title(),
                                Integer.toString(writers),
                                values(
                                        load(
                                                database,
                                                contestant,
                                                writers,
                                                effort.settle(),
                                                effort.slice())));
                    }
                }
            }
        }
        return table(rows.list());
    }

    private static LoadResult load(
            Database database,
            StoreContestant contestant,
            int writers,
            Duration warmUp,
            Duration measured)
            throws Exception {
        return ClosedLoop.run(writers, () -> contestant.writer(database), warmUp, measured);
    }

    private static Map<String, Double> values(LoadResult result) {
        return Map.of(
                PER_SECOND,
                result.perSecond(),
                P50,
                result.percentileMicros(50),
                P99,
                result.percentileMicros(99),
                ERRORS,
                (double) result.errors());
    }

    private Table table(List<Row> rows) {
        String baseline = StoreContestant.BARE_FUNCTION.title();
        return new Table(
                name(),
                summary(),
                "writers",
                List.of(
                        new Column(PER_SECOND, "writes/s", 0),
                        new Column(P50, "p50 us", 0),
                        new Column(P99, "p99 us", 0),
                        new Column(ERRORS, "errors", 0)),
                List.of(PER_SECOND, P50, P99),
                baseline,
                rows,
                Table.ratioGoal(
                        rows,
                        StoreContestant.STORE.title(),
                        baseline,
                        MAX_WRITERS,
                        PER_SECOND,
                        Goal.Bound.AT_LEAST,
                        0.7),
                List.of(
                        "documents of 600 bytes; fsync on; one PostgreSQL for all contestants",
                        "the bare function compares, draws a revision, stores, logs and announces"
                                + " in one round trip; the store also reads, to let a mutation"
                                + " decide"));
    }
}
