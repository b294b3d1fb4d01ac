package dev.orloj.benchmarks.replicas;

import dev.orloj.benchmarks.database.Database;
import dev.orloj.benchmarks.load.Histogram;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** All replicas on one database. Only grows. For one thread. */
final class SimulatedReplicas implements AutoCloseable {

    private static final Duration LAST_CHANGES = Duration.ofSeconds(30);

    private final Database database;
    private final Backends backends;
    private final Traffic traffic = SimulatedReplica.traffic();
    private final List<SimulatedReplica> replicas = new ArrayList<>();
    private volatile Deliveries deliveries = new Deliveries(0, 0, 0);

    /** Numbers go on over all measurements, so that no change looks like an earlier one. */
    private long nextChange = 1;

    /**
     * What the replicas did in a slice of time.
     *
     * @param traffic with PostgreSQL, of all replicas together
     * @param replicaCpu processor time of the backends of the replicas, in nanoseconds
     * @param writerCpu processor time of the backends of the writer, in nanoseconds
     */
    record Slice(long nanos, Traffic.Count traffic, long replicaCpu, long writerCpu) {}

    /** What goes on in a slice. */
    @FunctionalInterface
    interface Work {
        void perform() throws InterruptedException;
    }

    SimulatedReplicas(Database database) throws SQLException {
        this.database = database;
        this.backends = new Backends(database);
    }

    void growTo(int size) throws InterruptedException {
        while (replicas.size() < size) {
            SimulatedReplica next =
                    new SimulatedReplica(
                            database, replicas.size(), change -> deliveries.received(change));
            replicas.add(next);
            next.start();
        }
    }

    int size() {
        return replicas.size();
    }

    SimulatedReplica replica(int number) {
        return replicas.get(number);
    }

    int connections() throws SQLException {
        return backends.count(SimulatedReplica.APPLICATION);
    }

    Slice measure(Work work) throws InterruptedException, SQLException, IOException {
        long replicaCpu = backends.cpu(SimulatedReplica.APPLICATION);
        long writerCpu = backends.cpu(Database.APPLICATION);
        Traffic.Count before = traffic.count();
        long start = System.nanoTime();
        work.perform();
        long nanos = System.nanoTime() - start;
        return new Slice(
                nanos,
                traffic.count().minus(before),
                backends.cpu(SimulatedReplica.APPLICATION) - replicaCpu,
                backends.cpu(Database.APPLICATION) - writerCpu);
    }

    /** Lets the replicas renew their Leases in turn, evenly in time. */
    void renewLeases(int renewals, Duration interval) {
        long start = System.nanoTime();
        for (int i = 0; i < renewals; i++) {
            awaitTurn(start, i, interval);
            replicas.get(i % replicas.size()).renewLease();
        }
        awaitTurn(start, renewals, interval);
    }

    /**
     * Writes McpServers at a steady rate. Returns how long each took to the last replica.
     *
     * @throws IllegalStateException when a replica misses one
     */
    Histogram write(int servers, int changes, Duration interval) throws InterruptedException {
        Deliveries run = new Deliveries(nextChange, changes, replicas.size());
        deliveries = run;
        long start = System.nanoTime();
        for (int i = 0; i < changes; i++) {
            awaitTurn(start, i, interval);
            run.written(nextChange);
            ServerDocuments.touch(
                    database.store(),
                    ServerDocuments.name((int) (nextChange % servers)),
                    nextChange);
            nextChange++;
        }
        long missing = run.await(LAST_CHANGES);
        if (missing > 0) {
            throw new IllegalStateException(
                    "%d changes did not reach all replicas".formatted(missing));
        }
        return run.delays();
    }

    private static void awaitTurn(long start, int turn, Duration interval) {
        long due = start + turn * interval.toNanos();
        for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
            LockSupport.parkNanos(wait);
        }
    }

    @Override
    public void close() throws InterruptedException, SQLException {
        for (SimulatedReplica replica : replicas) {
            replica.close();
        }
        backends.close();
    }
}
