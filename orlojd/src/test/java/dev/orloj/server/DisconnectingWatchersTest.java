package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Eight writers at two replicas, and twenty watchers that hang up at random and go on at whichever
 * replica. All that each watcher received is what the log holds: nothing lost, nothing repeated, in
 * order.
 *
 * <p>{@code -Dorloj.test.writes=5000} makes it longer, {@code -Dorloj.test.seed=N} takes another
 * course.
 */
class DisconnectingWatchersTest {

    private static final int WRITERS = 8;
    private static final int WATCHERS = 20;
    private static final int NAMES = 40;
    private static final int WRITES = Integer.getInteger("orloj.test.writes", 40);
    private static final long SEED = Long.getLong("orloj.test.seed", 20_261_121);
    private static final String TOOLS = RestClient.collection("default", "tools");

    private final Queue<Long> acknowledged = new ConcurrentLinkedQueue<>();

    /** The last revision that watchers are to see; grows as long as the writers write. */
    private final AtomicLong last = new AtomicLong(Long.MAX_VALUE);

    @Test
    @Timeout(600)
    void watchersOfTwoReplicasReceiveTheLogWhateverTheyMiss() throws Exception {
        try (TestPostgres.Database database = TestPostgres.freshDatabase();
                RunningOrlojd one = RunningOrlojd.start(database, Map.of());
                RunningOrlojd other = RunningOrlojd.start(database, Map.of());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<RestClient> replicas = List.of(one.client(), other.client());
            long from = version(one.client().get(TOOLS).body());
            List<Watcher> watchers = new ArrayList<>();
            List<Future<?>> watching = new ArrayList<>();
            for (int i = 0; i < WATCHERS; i++) {
                Watcher watcher = new Watcher(replicas, new Random(SEED + 100 + i), from);
                watchers.add(watcher);
                watching.add(threads.submit(watcher::follow));
            }
            List<Future<?>> writing = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                RestClient replica = replicas.get(i % 2);
                Random random = new Random(SEED + i);
                writing.add(threads.submit(() -> write(replica, random)));
            }
            for (Future<?> writer : writing) {
                writer.get();
            }
            last.set(version(other.client().get(TOOLS).body()));
            // Lets those go who have seen everything and wait for more.
            create(one.client(), "the-end").expect(201);
            for (Future<?> watcher : watching) {
                watcher.get();
            }

            List<String> log = log(database, last.get());
            assertThat(log).hasSizeGreaterThan(WRITERS * WRITES / 2);
            assertThat(revisions(log)).containsAll(acknowledged);
            for (Watcher watcher : watchers) {
                assertThat(watcher.reported).as("seed %d", SEED).isEqualTo(log);
            }
            assertThat(watchers).allMatch(watcher -> watcher.connections > 1);
        }
    }

    private void write(RestClient replica, Random random) {
        for (int i = 0; i < WRITES; i++) {
            String name = "t" + random.nextInt(NAMES);
            RestClient.Answer answer =
                    random.nextInt(4) == 0
                            ? replica.delete(TOOLS + "/" + name)
                            : replica.patch(TOOLS + "/" + name, description(random));
            if (answer.code() == 404) {
                answer = create(replica, name);
            }
            // Another writer may have made it, or removed it, in the meantime.
            assertThat(answer.code()).isIn(200, 201, 404, 409);
            if (answer.body().has("spec")) {
                acknowledged.add(version(answer.body()));
            }
        }
    }

    private static String description(Random random) {
        return "{\"spec\":{\"description\":\"%d\"}}".formatted(random.nextLong());
    }

    private static RestClient.Answer create(RestClient replica, String name) {
        return replica.post(
                TOOLS,
                Map.of(
                        "apiVersion",
                        "orloj.dev/v1",
                        "kind",
                        "Tool",
                        "metadata",
                        Map.of("name", name),
                        "spec",
                        Map.of("type", "http", "endpoint", "http://x")));
    }

    private static List<String> log(TestPostgres.Database database, long upTo) {
        return database.jdbc()
                .sql(
                        """
                        SELECT CASE type WHEN 'A' THEN 'ADDED' WHEN 'M' THEN 'MODIFIED'
                                         ELSE 'DELETED' END || ' ' || name || ' @' || rev
                          FROM resource_change
                         WHERE kind = 'tools.orloj.dev' AND namespace = 'default' AND rev <= ?
                         ORDER BY rev
                        """)
                .param(upTo)
                .query(String.class)
                .list();
    }

    private static List<Long> revisions(List<String> log) {
        return log.stream().map(entry -> Long.parseLong(entry.split("@")[1])).toList();
    }

    private static long version(JsonNode document) {
        return Long.parseLong(document.at("/metadata/resourceVersion").asString());
    }

    /** One client that loses its connection again and again. For one thread. */
    private final class Watcher {

        private final HttpClient http = HttpClient.newHttpClient();
        private final List<RestClient> replicas;
        private final Random random;
        private final List<String> reported = new ArrayList<>();
        private long position;
        private int connections;

        Watcher(List<RestClient> replicas, Random random, long from) {
            this.replicas = replicas;
            this.random = random;
            this.position = from;
        }

        void follow() {
            try (http) {
                while (position < last.get()) {
                    connections++;
                    watch(replicas.get(random.nextInt(2)), random.nextInt(40));
                }
            } catch (IOException e) {
                throw new AssertionError("after " + position, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Reads some events, and hangs up whatever is still under way. */
        private void watch(RestClient replica, int events)
                throws IOException, InterruptedException {
            URI uri =
                    URI.create(
                            "%s%s?watch=true&allowWatchBookmarks=true&resourceVersion=%d"
                                    .formatted(replica.url(), TOOLS, position));
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            try (BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(
                                    http.send(request, HttpResponse.BodyHandlers.ofInputStream())
                                            .body(),
                                    StandardCharsets.UTF_8))) {
                for (int i = 0; i < events && position < last.get(); i++) {
                    take(Json.MAPPER.readTree(lines.readLine()));
                }
            }
        }

        private void take(JsonNode event) {
            String type = event.path("type").asString();
            JsonNode metadata = event.at("/object/metadata");
            long version = version(event.path("object"));
            assertThat(version).as("seed %d, %s", SEED, event).isGreaterThan(position);
            position = version;
            if (!type.equals("BOOKMARK") && version <= last.get()) {
                reported.add(
                        "%s %s @%d".formatted(type, metadata.path("name").asString(), version));
            }
        }
    }
}
