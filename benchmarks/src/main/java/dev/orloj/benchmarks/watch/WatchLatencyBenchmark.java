package dev.orloj.benchmarks.watch;

import dev.orloj.benchmarks.database.Database;
import dev.orloj.benchmarks.load.Histogram;
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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * From the moment a writer sends its commit until each watcher holds the event, at a steady rate of
 * writes. That includes the write itself, so the figures are on the safe side of "since the
 * commit".
 */
public final class WatchLatencyBenchmark implements Benchmark {

    private static final int WRITES_PER_SECOND = 200;
    private static final Duration LAST_EVENTS = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(10);

    private static final String ORLOJD = "orlojd watch";
    private static final String TWO = "orlojd watch, 2 replicas";
    private static final String BARE = "bare LISTEN/NOTIFY";
    private static final String RATE = "writes/s";
    private static final String P50 = "p50";
    private static final String P99 = "p99";
    private static final String MAX = "max";
    private static final String MISSING = "missing";
    private static final String STRAY = "stray";

    /** Numbers go on over all measurements, so that no change looks like an earlier one. */
    private long nextChange;

    @Override
    public String name() {
        return "watch";
    }

    @Override
    public String summary() {
        return "from commit to watchers, at %d writes/s".formatted(WRITES_PER_SECOND);
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        Rows rows = new Rows();
        try (Database database = Database.create(workplace.newFolder("database"))) {
            BarePut.createIn(database);
            try (OrlojdProcess first = OrlojdFeed.replica(database, workplace);
                    OrlojdProcess second = OrlojdFeed.replica(database, workplace);
                    OrlojdFeed orlojd = new OrlojdFeed(database, List.of(first));
                    OrlojdFeed two = new OrlojdFeed(database, List.of(first, second));
                    NotifyFeed bare = new NotifyFeed(database)) {
                measure(two, effort.warmUp().dividedBy(2));
                for (int round = 0; round < effort.rounds(); round++) {
                    rows.add(ORLOJD, "", measure(orlojd, effort.slice()));
                    rows.add(TWO, "", measure(two, effort.slice()));
                    rows.add(BARE, "", measure(bare, effort.slice()));
                }
            }
        }
        return table(rows.list());
    }

    private Map<String, Double> measure(Feed feed, Duration duration) throws Exception {
        int changes = (int) Math.max(1, duration.toMillis() * WRITES_PER_SECOND / 1_000);
        Arrivals arrivals = new Arrivals(nextChange, changes);
        List<Arrivals.Watcher> watchers = new ArrayList<>();
        List<Feed.Subscription> subscriptions = new ArrayList<>();
        for (int i = 0; i < feed.watchers(); i++) {
            Arrivals.Watcher watcher = arrivals.watcher();
            watchers.add(watcher);
            subscriptions.add(feed.watch(watcher));
        }
        long took = write(feed, arrivals, changes);
        awaitLast(watchers);
        for (Feed.Subscription subscription : subscriptions) {
            subscription.end();
        }
        Histogram latencies = new Histogram();
        watchers.forEach(watcher -> latencies.add(watcher.latencies()));
        return Map.of(
                RATE,
                changes * 1e9 / took,
                P50,
                latencies.percentile(50) / 1e6,
                P99,
                latencies.percentile(99) / 1e6,
                MAX,
                latencies.percentile(100) / 1e6,
                MISSING,
                (double) watchers.stream().mapToInt(Arrivals.Watcher::missing).sum(),
                STRAY,
                (double) arrivals.strays());
    }

    /** One write every so often; returns how long all of them took in nanoseconds. */
    private long write(Feed feed, Arrivals arrivals, int changes) throws Exception {
        long interval = Duration.ofSeconds(1).toNanos() / WRITES_PER_SECOND;
        long start = System.nanoTime();
        for (int i = 0; i < changes; i++) {
            for (long wait = start + i * interval - System.nanoTime(); wait > 0; ) {
                LockSupport.parkNanos(wait);
                wait = start + i * interval - System.nanoTime();
            }
            arrivals.made(nextChange);
            feed.change(nextChange++);
        }
        return System.nanoTime() - start;
    }

    private static void awaitLast(List<Arrivals.Watcher> watchers) {
        long giveUp = System.nanoTime() + LAST_EVENTS.toNanos();
        while (watchers.stream().anyMatch(watcher -> watcher.missing() > 0)
                && System.nanoTime() - giveUp < 0) {
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private Table table(List<Row> rows) {
        Row orlojd = Table.find(rows, ORLOJD, "").orElseThrow();
        Row two = Table.find(rows, TWO, "").orElseThrow();
        return new Table(
                name(),
                summary(),
                "",
                List.of(
                        new Column(RATE, "writes/s", 0),
                        new Column(P50, "p50 ms", 2),
                        new Column(P99, "p99 ms", 2),
                        new Column(MAX, "max ms", 1),
                        new Column(MISSING, "missing", 0),
                        new Column(STRAY, "twice", 0)),
                List.of(P50, P99),
                BARE,
                rows,
                List.of(
                        goal("p50 of orlojd in ms", orlojd, P50, 5),
                        goal("p99 of orlojd in ms", orlojd, P99, 25),
                        goal("events that did not arrive", orlojd, MISSING, 0),
                        goal("events that arrived twice", orlojd, STRAY, 0),
                        goal("events that did not arrive from two", two, MISSING, 0),
                        goal("events that arrived twice from two", two, STRAY, 0)),
                List.of(
                        "from right before the writer sends its statement to the moment the"
                                + " watcher has read the event; the commit itself is included",
                        ("orlojd: %d watchers over HTTP, written to by another process, which of"
                                        + " two replicas each serve half; bare: one listener,"
                                        + " which gets a key and no document")
                                .formatted(OrlojdFeed.WATCHERS)));
    }

    private static Goal goal(String text, Row row, String column, double limit) {
        return new Goal(text, row.value(column).orElseThrow(), Goal.Bound.AT_MOST, limit);
    }
}
