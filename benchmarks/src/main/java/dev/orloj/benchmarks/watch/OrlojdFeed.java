package dev.orloj.benchmarks.watch;

import dev.orloj.api.v1.Tool;
import dev.orloj.benchmarks.database.Database;
import dev.orloj.benchmarks.load.HttpConnection;
import dev.orloj.benchmarks.load.LineStream;
import dev.orloj.benchmarks.store.Documents;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;
import dev.orloj.server.store.Mutation;
import dev.orloj.server.store.PostgresStore;

import java.io.IOException;
import java.net.URI;
import java.util.List;

/**
 * Watches over HTTP at one orlojd or several on one database. The changes are made by the store of
 * this JVM, as by another replica, so that the moment of the commit is known.
 */
final class OrlojdFeed implements Feed {

    static final int WATCHERS = 100;
    private static final int DOCUMENTS = 50;
    private static final String COLLECTION =
            "/apis/orloj.dev/v1/namespaces/" + Documents.NAMESPACE + "/tools";

    private final PostgresStore store;
    private final List<OrlojdProcess> replicas;
    private int opened;

    /**
     * @param replicas share the watchers evenly
     */
    OrlojdFeed(Database database, List<OrlojdProcess> replicas) {
        this.store = database.store();
        this.replicas = List.copyOf(replicas);
    }

    static OrlojdProcess replica(Database database, Workplace workplace)
            throws IOException, InterruptedException {
        return OrlojdProcess.start(
                workplace, workplace.newFolder("watch"), database.options().toArray(String[]::new));
    }

    @Override
    public int watchers() {
        return WATCHERS;
    }

    @Override
    public Subscription watch(Arrivals.Watcher watcher) throws IOException {
        long head = store.head(Tool.DESCRIPTOR.shard()).value();
        String path = COLLECTION + "?watch=true&resourceVersion=" + head;
        OrlojdProcess replica = replicas.get(opened++ % replicas.size());
        LineStream stream = LineStream.open(replica.url(), get(replica.url(), path));
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> stream.forEachLine(line -> stampIn(line, watcher)));
        return () -> {
            stream.close();
            thread.join();
        };
    }

    private static byte[] get(URI server, String path) {
        try (HttpConnection unused = new HttpConnection(server)) {
            return unused.request("GET", path, "application/json", new byte[0]);
        }
    }

    private static void stampIn(byte[] line, Arrivals.Watcher watcher) {
        long stamp = Stamp.find(line);
        if (stamp >= 0) {
            watcher.saw(stamp);
        }
    }

    @Override
    public void change(long number) {
        String name = "watched-" + number % DOCUMENTS;
        store.write(
                Tool.DESCRIPTOR,
                Documents.key(name),
                current ->
                        new Mutation.Outcome.Put(
                                Documents.stamp(
                                        current.orElseGet(() -> Documents.tool(name)), number)));
    }

    @Override
    public void close() {
        // The replicas belong to who started them.
    }
}
