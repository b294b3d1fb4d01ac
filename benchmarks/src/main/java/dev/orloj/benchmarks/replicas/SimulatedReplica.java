package dev.orloj.benchmarks.replicas;

import com.zaxxer.hikari.HikariDataSource;

import dev.orloj.api.Backoff;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchClosedException;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.core.Lease;
import dev.orloj.api.v1.Kinds;
import dev.orloj.api.v1.McpServer;
import dev.orloj.benchmarks.database.Database;
import dev.orloj.benchmarks.store.Documents;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.pods.ReplicaHeartbeat;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.controllers.replica.ReplicaDirectory;
import dev.orloj.controllers.replica.ReplicaLease;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.server.admission.Admission;
import dev.orloj.server.leader.PostgresLeaderElector;
import dev.orloj.server.registry.LocalResourceClient;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.store.PostgresStore;
import dev.orloj.server.store.table.StoreSettings;

import org.postgresql.PGProperty;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongConsumer;

/**
 * The part of a replica that uses the database: its store with three change feeds and LISTEN, its
 * try for the lock of the leader, its heartbeat, and watches of McpServers and Leases. No caches,
 * no sessions and no web server, so that a hundred fit into one JVM.
 */
final class SimulatedReplica implements AutoCloseable {

    /** The name of its connections in PostgreSQL. */
    static final String APPLICATION = "simulated-replica";

    private static final String TRAFFIC = "replicas";

    /** Of a real replica, {@code ORLOJ_DATABASE_CONNECTIONS}, of which it keeps two when idle. */
    static final int POOL_SIZE = 2;

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** A small window: a hundred of the default one would fill the heap of this JVM. */
    private static final StoreSettings SETTINGS =
            new StoreSettings(
                    StoreSettings.DEFAULTS.keepChangesFor(),
                    StoreSettings.DEFAULTS.keepChanges(),
                    StoreSettings.DEFAULTS.changesPerPartition(),
                    64,
                    StoreSettings.DEFAULTS.pollEvery(),
                    StoreSettings.DEFAULTS.bookmarkEvery(),
                    StoreSettings.DEFAULTS.headTimeout(),
                    StoreSettings.DEFAULTS.maintainEvery());

    private final HikariDataSource pool = new HikariDataSource();
    private final PostgresStore store;
    private final PostgresLeaderElector elector;
    private final ResourceClient client;
    private final Replica self;
    private final ReplicaHeartbeat heartbeat;
    private final Informer<Lease> leases;
    private final Watch<ObjectNode> servers;
    private final Thread watcher;

    /**
     * @param received called with the number of each change of an McpServer
     */
    SimulatedReplica(Database database, int number, LongConsumer received) {
        Properties properties = database.properties();
        PGProperty.APPLICATION_NAME.set(properties, APPLICATION);
        PGProperty.SOCKET_FACTORY.set(properties, CountedSockets.class.getName());
        PGProperty.SOCKET_FACTORY_ARG.set(properties, TRAFFIC);
        pool.setJdbcUrl(database.url());
        pool.setDataSourceProperties(properties);
        pool.setMaximumPoolSize(POOL_SIZE);
        DriverManagerDataSource direct = new DriverManagerDataSource(database.url(), properties);
        InstantSource clock = InstantSource.system();
        this.store = new PostgresStore(pool, direct, database.cipher(), SETTINGS, clock);
        this.elector = new PostgresLeaderElector(direct);
        this.client =
                new LocalResourceClient(
                        new ResourceRegistry(
                                store,
                                new Admission(List.of()),
                                Kinds.SCHEME,
                                clock,
                                new Random(number)),
                        Kinds.SCHEME);
        this.self = new Replica("replica-%03d".formatted(number), "host-%03d".formatted(number));
        ReplicaDirectory directory = new ReplicaDirectory(self);
        directory.advertise(URI.create("http://%s.example.org:7070/".formatted(self.host())));
        this.leases = new Informer<>(client, Lease.KIND);
        leases.addHandler(directory);
        this.heartbeat =
                new ReplicaHeartbeat(
                        client,
                        directory,
                        clock,
                        new Workqueue<>(
                                Backoff.of(Duration.ofSeconds(1), Duration.ofSeconds(1)),
                                clock,
                                () -> ThreadLocalRandom.current().nextLong()));
        store.start();
        ResourceVersion head = store.head(McpServer.DESCRIPTOR.shard());
        this.servers = store.watch(McpServer.DESCRIPTOR, WatchOptions.everythingAfter(head));
        this.watcher = Thread.ofVirtual().unstarted(() -> watch(received));
    }

    /** Returns what counts the requests of all replicas. */
    static Traffic traffic() {
        Traffic traffic = new Traffic();
        CountedSockets.count(TRAFFIC, traffic);
        return traffic;
    }

    /** Returns when it follows the store. It has no Lease yet. */
    void start() throws InterruptedException {
        elector.start();
        leases.start();
        leases.awaitSynced();
        watcher.start();
    }

    PostgresStore store() {
        return store;
    }

    ResourceClient client() {
        return client;
    }

    /** Does what the replica does every ten seconds. */
    void renewLease() {
        heartbeat.reconcile(ReplicaLease.key(self));
    }

    private void watch(LongConsumer received) {
        try {
            while (true) {
                if (servers.next(TIMEOUT).orElse(null)
                        instanceof WatchEvent.Modified<ObjectNode>(ObjectNode server)) {
                    received.accept(Documents.stampOf(server));
                }
            }
        } catch (WatchClosedException e) {
            // The replica ends.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws InterruptedException {
        leases.close();
        elector.close();
        store.close();
        watcher.join();
        pool.close();
    }
}
