package dev.orloj.benchmarks.replicas;

import dev.orloj.benchmarks.database.Database;
import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Rows;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;
import dev.orloj.server.registry.PermanentNamespaces;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * What many replicas on one PostgreSQL with many McpServers cost, and how long a change takes to
 * the last of them. The replicas are simulated in this JVM: each has the store, the change feeds,
 * the heartbeat and the elector of a real one.
 *
 * <p>Other programs on the machine change the delays. They change requests and bytes not at all,
 * and the processor time of PostgreSQL little.
 */
public final class ReplicasBenchmark implements Benchmark {

    private static final List<Integer> SIZES = List.of(1, 10, 30, 100);
    private static final List<Integer> FEW = List.of(1, 8);
    private static final int SERVERS_PER_OBJECT = 100;

    /** The servers that are written; few, so that each has its ledger before it is measured. */
    private static final int MAX_WRITTEN = 100;

    private static final int MAX_CONNECTIONS = 500;
    private static final Duration IDLE_ORLOJD = Duration.ofSeconds(30);
    private static final String ORLOJD = "a real orlojd";

    @Override
    public String name() {
        return "replicas";
    }

    @Override
    public String summary() {
        return "what each further replica costs one PostgreSQL";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        Rows rows = new Rows();
        boolean full = effort.slowParts();
        int servers = effort.objects() * (full ? SERVERS_PER_OBJECT : 1);
        int written = Math.min(servers, MAX_WRITTEN);
        Duration slice = full ? effort.slice() : effort.slice().dividedBy(8);
        try (Database database = Database.create(workplace.newFolder("replicas"), MAX_CONNECTIONS);
                SimulatedReplicas replicas = new SimulatedReplicas(database)) {
            if (full) {
                rows.add(ORLOJD, Measurement.IDLE, idleOrlojd(database, workplace));
            }
            ServerDocuments.create(database.store(), servers);
            database.vacuum();
            for (int size : full ? SIZES : FEW) {
                boolean first = replicas.size() == 0;
                replicas.growTo(size);
                Measurement measurement = new Measurement(rows, database, replicas, written, slice);
                if (first) {
                    PermanentNamespaces.ensure(replicas.replica(0).client());
                    measurement.firstList();
                }
                measurement.warmUp();
                for (int round = 0; round < effort.rounds(); round++) {
                    measurement.round();
                }
            }
        }
        return table(rows.list(), servers);
    }

    /** Only what PostgreSQL knows of it: its sockets are those of another process. */
    private static Map<String, Double> idleOrlojd(Database database, Workplace workplace)
            throws Exception {
        try (OrlojdProcess orlojd =
                        OrlojdProcess.start(
                                workplace,
                                workplace.newFolder("orlojd"),
                                database.options().toArray(String[]::new));
                Backends backends = new Backends(database)) {
            long before = backends.cpu("orlojd");
            LockSupport.parkNanos(IDLE_ORLOJD.toNanos());
            double millis = (backends.cpu("orlojd") - before) / 1e6;
            return Map.of(
                    Measurement.CONNECTIONS,
                    (double) backends.count("orlojd"),
                    Measurement.CPU,
                    millis / IDLE_ORLOJD.toSeconds());
        }
    }

    private Table table(List<Row> rows, int servers) {
        return new Table(
                name(),
                "%s, with %,d McpServers".formatted(summary(), servers),
                "measured",
                columns(),
                List.of(
                        Measurement.CPU,
                        Measurement.WRITE_CPU,
                        Measurement.WRITER_CPU,
                        Measurement.PER_SECOND),
                Measurement.subject(1),
                rows,
                List.of(),
                List.of(
                        "connections, requests/s and ms/s (processor time of the backends in"
                                + " PostgreSQL) are of each replica",
                        "requests, bytes and us per write are of each replica for each write of"
                                + " any replica, without what it does when idle; writer us is the"
                                + " time of the backend that writes",
                        "list s is elapsed time; JVM s and database s are the processor time of it",
                        "p50, p99: from right before a write to its arrival at the last replica,"
                                + " at %d writes/s, or as many as the machine can"
                                        .formatted(Measurement.WRITES_PER_SECOND),
                        "the replicas share this JVM, and have pools of %d connections"
                                .formatted(SimulatedReplica.POOL_SIZE)));
    }

    private static List<Column> columns() {
        return List.of(
                new Column(Measurement.CONNECTIONS, "connections", 1),
                new Column(Measurement.REQUESTS, "requests/s", 2),
                new Column(Measurement.CPU, "ms/s", 2),
                new Column(Measurement.WRITE_REQUESTS, "requests/write", 2),
                new Column(Measurement.WRITE_BYTES, "bytes/write", 0),
                new Column(Measurement.WRITE_CPU, "us/write", 0),
                new Column(Measurement.WRITER_CPU, "writer us", 0),
                new Column(Measurement.P50, "p50 ms", 1),
                new Column(Measurement.P99, "p99 ms", 1),
                new Column(Measurement.PER_SECOND, "writes/s", 0),
                new Column(Measurement.LIST_SECONDS, "list s", 2),
                new Column(Measurement.LIST_CPU, "JVM s", 2),
                new Column(Measurement.LIST_DATABASE_CPU, "database s", 2),
                new Column(Measurement.HEAP, "heap MB", 1));
    }
}
