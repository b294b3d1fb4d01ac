package dev.orloj.server.store;

import static dev.orloj.server.store.StoreFixture.TOOLS;
import static dev.orloj.server.store.StoreFixture.keyOf;
import static dev.orloj.server.store.StoreFixture.labelled;
import static dev.orloj.server.store.StoreFixture.tool;
import static dev.orloj.server.store.StoreFixture.version;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.FieldSelector;
import dev.orloj.api.LabelSelector;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.server.store.table.StoreSettings;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Eight writers on two replicas, and watches that stop anywhere and go on from the last revision
 * they saw. Every watch must deliver exactly what the log holds, and what it delivered must add up
 * to what is there at the end.
 */
class WatchUnderLoadTest {

    private static final int WRITERS = 8;
    private static final int WRITES = 80;
    private static final int KEYS = 30;
    private static final String SELECTOR = "half=one";

    private final long seed = System.nanoTime();
    private final AtomicInteger writersLeft = new AtomicInteger(WRITERS);

    @Test
    void nothingIsLostRepeatedOrOutOfOrder() throws Exception {
        // Bookmarks carry a watch with a selector past what it does not select.
        StoreSettings settings =
                TestSettings.timed(
                        Duration.ofSeconds(1), Duration.ofMillis(100), Duration.ofSeconds(3), 50);
        try (StoreFixture fixture = new StoreFixture(settings);
                PostgresStore replica = fixture.open(settings);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            replica.start();
            LabelSelector half = LabelSelector.parse(SELECTOR);
            List<Future<Follower>> followers = new ArrayList<>();
            ResourceVersion start = fixture.head();
            for (int i = 0; i < 6; i++) {
                PostgresStore store = i % 2 == 0 ? fixture.store() : replica;
                Follower follower =
                        new Follower(
                                store,
                                i < 3 ? LabelSelector.EVERYTHING : half,
                                new Random(seed + 1_000 + i),
                                start);
                followers.add(threads.submit(follower::follow));
            }
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                PostgresStore store = i % 2 == 0 ? fixture.store() : replica;
                Random random = new Random(seed + i);
                writers.add(threads.submit(() -> write(store, random)));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }

            List<Long> log = revisionsInLog(fixture);
            for (Future<Follower> running : followers) {
                Follower follower = running.get();
                assertThat(follower.revisions).as("seed %d", seed).isSorted();
                assertThat(follower.revisions).as("seed %d", seed).doesNotHaveDuplicates();
                if (follower.labels.isEverything()) {
                    assertThat(follower.revisions).as("seed %d", seed).isEqualTo(log);
                }
                assertThat(follower.state)
                        .as("seed %d", seed)
                        .isEqualTo(present(fixture.store(), follower.labels));
            }
        }
    }

    private void write(PostgresStore store, Random random) {
        try {
            for (int i = 0; i < WRITES; i++) {
                if (random.nextInt(10) == 0) {
                    SortedMap<ResourceKey, Mutation> batch = new TreeMap<>();
                    for (int n = 0; n < 5; n++) {
                        ResourceKey key = anyKey(random);
                        batch.put(key, mutation(key, random));
                    }
                    store.writeAll(TOOLS, batch);
                } else {
                    ResourceKey key = anyKey(random);
                    store.write(TOOLS, key, mutation(key, random));
                }
            }
        } finally {
            writersLeft.decrementAndGet();
        }
    }

    private static ResourceKey anyKey(Random random) {
        return new ResourceKey("default", "n" + random.nextInt(KEYS));
    }

    private static Mutation mutation(ResourceKey key, Random random) {
        boolean remove = random.nextInt(4) == 0;
        String half = random.nextBoolean() ? "one" : "other";
        String value = Long.toString(random.nextLong());
        return current -> {
            if (current.isPresent() && remove) {
                return new Mutation.Outcome.Remove(current.get());
            }
            if (current.isPresent()) {
                ObjectNode document = current.get();
                document.withObject("/spec").put("description", value);
                return new Mutation.Outcome.Put(labelled(document, "half", half));
            }
            return new Mutation.Outcome.Put(labelled(tool(key, value), "half", half));
        };
    }

    private static List<Long> revisionsInLog(StoreFixture fixture) {
        return fixture.jdbc()
                .sql("SELECT rev FROM resource_change WHERE shard = 'main' ORDER BY rev")
                .query(Long.class)
                .list();
    }

    private static Map<String, ResourceVersion> present(PostgresStore store, LabelSelector labels) {
        return store.list(TOOLS, ListOptions.everything().withLabels(labels)).items().stream()
                .collect(Collectors.toMap(item -> keyOf(item).name(), StoreFixture::version));
    }

    /** Watches, gives up at random, and resumes from the last revision. */
    private final class Follower {

        private final PostgresStore store;
        private final LabelSelector labels;
        private final Random random;
        private final List<Long> revisions = new ArrayList<>();
        private final Map<String, ResourceVersion> state = new TreeMap<>();
        private ResourceVersion last;

        Follower(PostgresStore store, LabelSelector labels, Random random, ResourceVersion start) {
            this.store = store;
            this.last = start;
            this.labels = labels;
            this.random = random;
        }

        Follower follow() throws InterruptedException {
            while (writersLeft.get() > 0 || last.compareTo(store.head(TOOLS.shard())) < 0) {
                WatchOptions options = new WatchOptions("", labels, FieldSelector.EVERYTHING, last);
                try (Watch<ObjectNode> watch = store.watch(TOOLS, options)) {
                    read(watch, random.nextInt(60));
                }
            }
            return this;
        }

        private void read(Watch<ObjectNode> watch, int events) throws InterruptedException {
            for (int i = 0; i < events; i++) {
                watch.next(Duration.ofMillis(200)).ifPresent(this::record);
            }
        }

        private void record(WatchEvent<ObjectNode> event) {
            switch (event) {
                case WatchEvent.Added<ObjectNode>(ObjectNode o) -> {
                    assertThat(state).as("seed %d", seed).doesNotContainKey(keyOf(o).name());
                    put(o);
                }
                case WatchEvent.Modified<ObjectNode>(ObjectNode o) -> {
                    assertThat(state).as("seed %d", seed).containsKey(keyOf(o).name());
                    put(o);
                }
                case WatchEvent.Deleted<ObjectNode>(ObjectNode o) -> {
                    assertThat(state).as("seed %d", seed).containsKey(keyOf(o).name());
                    state.remove(keyOf(o).name());
                    passed(version(o));
                }
                case WatchEvent.Bookmark<ObjectNode>(ResourceVersion version, boolean _) ->
                        last = version;
            }
        }

        private void put(ObjectNode document) {
            state.put(keyOf(document).name(), version(document));
            passed(version(document));
        }

        private void passed(ResourceVersion version) {
            revisions.add(version.value());
            last = version;
        }
    }
}
