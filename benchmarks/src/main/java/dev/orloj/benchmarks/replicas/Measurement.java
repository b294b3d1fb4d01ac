package dev.orloj.benchmarks.replicas;

import dev.orloj.benchmarks.database.Database;
import dev.orloj.benchmarks.load.ClosedLoop;
import dev.orloj.benchmarks.load.Histogram;
import dev.orloj.benchmarks.load.LoadResult;
import dev.orloj.benchmarks.load.Operation;
import dev.orloj.benchmarks.report.Rows;
import dev.orloj.server.store.PostgresStore;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/** Measures the replicas that there are now. For one thread. */
final class Measurement {

    /** What 100,000 servers write; docs/scaling.md has the calculation. */
    static final int WRITES_PER_SECOND = 100;

    static final String IDLE = "idle";

    static final String CONNECTIONS = "connections";
    static final String REQUESTS = "requests";
    static final String CPU = "ms/s";
    static final String WRITE_REQUESTS = "requests/write";
    static final String WRITE_BYTES = "bytes/write";
    static final String WRITE_CPU = "us/write";
    static final String WRITER_CPU = "writer";
    static final String P50 = "p50";
    static final String P99 = "p99";
    static final String PER_SECOND = "writes/s";
    static final String LIST_SECONDS = "list";
    static final String LIST_CPU = "list cpu";
    static final String LIST_DATABASE_CPU = "list database cpu";
    static final String HEAP = "heap";
    private static final String ERRORS = "errors";

    /** As often as a replica renews its Lease. */
    private static final Duration RENEWAL = Duration.ofSeconds(10);

    private static final int WRITERS = 8;
    private static final int FEWEST_WRITES = 3;

    private final Rows rows;
    private final Database database;
    private final SimulatedReplicas replicas;
    private final int written;
    private final Duration slice;
    private final int size;

    /**
     * @param written the number of McpServers that are written in turn
     */
    Measurement(
            Rows rows, Database database, SimulatedReplicas replicas, int written, Duration slice) {
        this.rows = rows;
        this.database = database;
        this.replicas = replicas;
        this.written = written;
        this.slice = slice;
        this.size = replicas.size();
    }

    static String subject(int size) {
        return size == 1 ? "1 replica" : size + " replicas";
    }

    /** What a replica does first: an informer lists all McpServers. */
    void firstList() throws InterruptedException, SQLException, IOException {
        AtomicReference<FirstList> list = new AtomicReference<>();
        SimulatedReplicas.Slice slice =
                replicas.measure(() -> list.set(FirstList.measure(replicas.replica(0))));
        rows.add(
                subject(size),
                "list of all",
                Map.of(
                        LIST_SECONDS,
                        list.get().nanos() / 1e9,
                        LIST_CPU,
                        list.get().cpu() / 1e9,
                        LIST_DATABASE_CPU,
                        slice.replicaCpu() / 1e9,
                        HEAP,
                        list.get().heapBytes() / 1e6));
    }

    void warmUp() throws InterruptedException {
        replicas.renewLeases(size, Duration.ZERO);
        replicas.write(written, written, Duration.ZERO);
    }

    void round() throws Exception {
        SimulatedReplicas.Slice idle =
                replicas.measure(() -> LockSupport.parkNanos(slice.toNanos()));
        rows.add(subject(size), IDLE, idle(idle));
        rows.add(subject(size), "leases", leases(idle));
        rows.add(subject(size), "writes", writes(idle));
        PostgresStore one = database.store();
        throughput("1 writer", 1, _ -> one);
        throughput("8 writers", WRITERS, _ -> one);
        if (size >= WRITERS) {
            throughput("8 writers of 8 replicas", WRITERS, n -> replicas.replica(n).store());
        }
    }

    private Map<String, Double> idle(SimulatedReplicas.Slice idle) throws SQLException {
        double replicaSeconds = idle.nanos() / 1e9 * size;
        return Map.of(
                CONNECTIONS,
                (double) replicas.connections() / size,
                REQUESTS,
                idle.traffic().requests() / replicaSeconds,
                CPU,
                idle.replicaCpu() / 1e6 / replicaSeconds);
    }

    private Map<String, Double> leases(SimulatedReplicas.Slice idle)
            throws InterruptedException, SQLException, IOException {
        Duration due = RENEWAL.dividedBy(size);
        Duration interval = due.compareTo(slice) < 0 ? due : slice;
        int renewals = (int) slice.dividedBy(interval);
        return perWrite(
                replicas.measure(() -> replicas.renewLeases(renewals, interval)), idle, renewals);
    }

    private Map<String, Double> writes(SimulatedReplicas.Slice idle)
            throws InterruptedException, SQLException, IOException {
        int changes = (int) Math.max(FEWEST_WRITES, slice.toMillis() * WRITES_PER_SECOND / 1_000);
        Duration interval = Duration.ofSeconds(1).dividedBy(WRITES_PER_SECOND);
        Histogram delays = new Histogram();
        SimulatedReplicas.Slice writes =
                replicas.measure(() -> delays.add(replicas.write(written, changes, interval)));
        Map<String, Double> values = perWrite(writes, idle, changes);
        values.put(PER_SECOND, changes * 1e9 / writes.nanos());
        values.put(WRITER_CPU, writes.writerCpu() / 1e3 / changes);
        values.put(P50, delays.percentile(50) / 1e6);
        values.put(P99, delays.percentile(99) / 1e6);
        return values;
    }

    /** What each replica did for each write, beyond what it does when there is none. */
    private Map<String, Double> perWrite(
            SimulatedReplicas.Slice busy, SimulatedReplicas.Slice idle, int writes) {
        double share = (double) busy.nanos() / idle.nanos();
        double all = (double) writes * size;
        Map<String, Double> values = new HashMap<>();
        values.put(
                WRITE_REQUESTS,
                (busy.traffic().requests() - share * idle.traffic().requests()) / all);
        values.put(
                WRITE_BYTES,
                (busy.traffic().bytesRead() - share * idle.traffic().bytesRead()) / all);
        values.put(WRITE_CPU, (busy.replicaCpu() - share * idle.replicaCpu()) / 1e3 / all);
        return values;
    }

    /** As fast as they can, each another McpServer. */
    private void throughput(String load, int writers, IntFunction<PostgresStore> stores)
            throws Exception {
        AtomicInteger next = new AtomicInteger();
        LoadResult result =
                ClosedLoop.run(
                        writers,
                        () -> {
                            int number = next.getAndIncrement();
                            return writer(stores.apply(number), number);
                        },
                        slice.dividedBy(2),
                        slice);
        rows.add(
                subject(size),
                load,
                Map.of(PER_SECOND, result.perSecond(), ERRORS, (double) result.errors()));
    }

    private static Operation writer(PostgresStore store, int number) {
        AtomicInteger stamp = new AtomicInteger();
        String name = "writer-" + number;
        // A number that no delivery waits for.
        return () -> ServerDocuments.touch(store, name, -1L - stamp.getAndIncrement());
    }
}
