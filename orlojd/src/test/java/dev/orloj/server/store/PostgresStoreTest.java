package dev.orloj.server.store;

import static dev.orloj.server.store.StoreFixture.TOOLS;
import static dev.orloj.server.store.StoreFixture.key;
import static dev.orloj.server.store.StoreFixture.labelled;
import static dev.orloj.server.store.StoreFixture.tool;
import static dev.orloj.server.store.StoreFixture.value;
import static dev.orloj.server.store.StoreFixture.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.Event;
import dev.orloj.server.store.table.StoreSettings;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

class PostgresStoreTest {

    private static StoreFixture fixture;

    @BeforeAll
    static void open() {
        fixture = new StoreFixture();
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Test
    void storedDocumentIsFoundWithTheVersionOfItsWrite() {
        ObjectNode written = fixture.put(key("found"), "a");

        assertThat(fixture.store().find(TOOLS, key("found"))).contains(written);
        assertThat(version(written)).isEqualTo(fixture.head());
        assertThat(fixture.store().find(TOOLS, key("absent"))).isEmpty();
    }

    @Test
    void everyWriteGetsAHigherVersion() {
        ObjectNode first = fixture.put(key("rising"), "a");
        ObjectNode second = fixture.put(key("rising"), "b");

        assertThat(version(second)).isGreaterThan(version(first));
        assertThat(value(fixture.store().find(TOOLS, key("rising")).orElseThrow())).isEqualTo("b");
    }

    @Test
    void unchangedWriteKeepsVersionAndLog() {
        ObjectNode first = fixture.put(key("unchanged"), "a");
        long changes = changesOf("unchanged");

        ObjectNode again =
                fixture.store()
                        .write(
                                TOOLS,
                                key("unchanged"),
                                current -> new Mutation.Outcome.Put(current.orElseThrow()));
        // The same numbers and keys, put together by a program, in another order.
        ObjectNode rebuilt = tool(key("unchanged"), "a");
        rebuilt.set("kind", rebuilt.remove("kind"));
        ObjectNode third = fixture.put(rebuilt);

        assertThat(version(again)).isEqualTo(version(first));
        assertThat(version(third)).isEqualTo(version(first));
        assertThat(changesOf("unchanged")).isEqualTo(changes);
    }

    @Test
    void numbersCompareByWhatTheySayNotByTheirJavaType() {
        ObjectNode document = tool(key("numbers"), "a");
        document.withObject("/spec").put("long", 5L).put("double", 1.5);
        ObjectNode first = fixture.put(document);

        ObjectNode same = tool(key("numbers"), "a");
        same.withObject("/spec").put("long", 5).put("double", new BigDecimal("1.5"));
        ObjectNode other = tool(key("numbers"), "a");
        other.withObject("/spec").put("long", 5).put("double", new BigDecimal("1.50"));

        assertThat(version(fixture.put(same))).isEqualTo(version(first));
        assertThat(version(fixture.put(other))).isGreaterThan(version(first));
    }

    @Test
    void mutationThatEditsWhatItWasGivenIsStillSeen() {
        fixture.put(key("edited"), "a");

        fixture.store()
                .write(
                        TOOLS,
                        key("edited"),
                        current -> {
                            ObjectNode document = current.orElseThrow();
                            document.withObject("/spec").put("description", "b");
                            return new Mutation.Outcome.Put(document);
                        });

        assertThat(value(fixture.store().find(TOOLS, key("edited")).orElseThrow())).isEqualTo("b");
    }

    @Test
    void documentComesBackAsItWas() {
        String json =
                """
                {"zeta":1,"apiVersion":"orloj.dev/v1","metadata":{"uid":"%s","name":"exact",\
                "resourceVersion":"%%s","namespace":"default"},"spec":{"n":[1.0,1.00,1E+2,\
                123456789012345678901234567890.123456789,-0],"nul":"a\\u0000b","half":"\\uD800",\
                "text":"žluťoučký 🐎","empty":{},"none":null}}\
                """
                        .formatted(UUID.randomUUID());
        ObjectNode document = (ObjectNode) Json.MAPPER.readTree(json.formatted(""));

        ObjectNode written = fixture.put(document);
        ObjectNode found = fixture.store().find(TOOLS, key("exact")).orElseThrow();

        assertThat(found.toString())
                .isEqualTo(Json.MAPPER.readTree(json.formatted(version(written))).toString());
    }

    @Test
    void refusedWriteChangesNothing() {
        ObjectNode before = fixture.put(key("refused"), "a");

        assertThatThrownBy(
                        () ->
                                fixture.store()
                                        .write(
                                                TOOLS,
                                                key("refused"),
                                                _ -> {
                                                    throw ApiException.conflict(
                                                            TOOLS.kind(), "refused");
                                                }))
                .isInstanceOf(ApiException.class);

        assertThat(fixture.store().find(TOOLS, key("refused"))).contains(before);
    }

    @Test
    void removalAnswersWithTheLastStateAtItsOwnVersion() {
        ObjectNode written = fixture.put(key("removed"), "a");

        ObjectNode removed = fixture.remove(key("removed"));

        assertThat(value(removed)).isEqualTo("a");
        assertThat(version(removed)).isGreaterThan(version(written)).isEqualTo(fixture.head());
        assertThat(fixture.store().find(TOOLS, key("removed"))).isEmpty();
    }

    @Test
    void nameThatCannotBeStoredIsNotFound() {
        assertThat(fixture.store().find(TOOLS, key("nul\0"))).isEmpty();
        assertThat(fixture.store().find(TOOLS, key("half\uD800"))).isEmpty();
    }

    @Test
    void writeAllIsOneTransactionWithARevisionForEachChange() {
        fixture.put(key("batch-1"), "old");
        fixture.put(key("batch-2"), "same");
        fixture.put(key("batch-3"), "gone");
        long before = fixture.head().value();

        SortedMap<ResourceKey, Mutation> mutations = new TreeMap<>();
        mutations.put(key("batch-1"), _ -> new Mutation.Outcome.Put(tool(key("batch-1"), "new")));
        mutations.put(key("batch-2"), _ -> new Mutation.Outcome.Put(tool(key("batch-2"), "same")));
        mutations.put(
                key("batch-3"), current -> new Mutation.Outcome.Remove(current.orElseThrow()));
        mutations.put(key("batch-4"), _ -> new Mutation.Outcome.Put(tool(key("batch-4"), "made")));
        fixture.store().writeAll(TOOLS, mutations);

        assertThat(fixture.head().value()).isEqualTo(before + 3);
        assertThat(fixture.store().find(TOOLS, key("batch-1")).map(StoreFixture::version))
                .hasValueSatisfying(v -> assertThat(v.value()).isEqualTo(before + 1));
        assertThat(fixture.store().find(TOOLS, key("batch-3"))).isEmpty();
        assertThat(fixture.store().find(TOOLS, key("batch-4")).map(StoreFixture::version))
                .hasValueSatisfying(v -> assertThat(v.value()).isEqualTo(before + 3));
    }

    @Test
    void writeAllOfWhichOneIsRefusedWritesNone() {
        long before = fixture.head().value();
        SortedMap<ResourceKey, Mutation> mutations = new TreeMap<>();
        mutations.put(key("none-1"), _ -> new Mutation.Outcome.Put(tool(key("none-1"), "a")));
        mutations.put(
                key("none-2"),
                _ -> {
                    throw ApiException.forbidden(TOOLS.kind(), "none-2", "no");
                });

        assertThatThrownBy(() -> fixture.store().writeAll(TOOLS, mutations))
                .isInstanceOf(ApiException.class);

        assertThat(fixture.store().find(TOOLS, key("none-1"))).isEmpty();
        assertThat(fixture.head().value()).isEqualTo(before);
    }

    @Test
    void concurrentMutationsOfOneResourceAreAllApplied() throws Exception {
        int writers = 8;
        int each = 20;
        AtomicInteger runs = new AtomicInteger();
        inParallel(
                writers,
                _ -> {
                    for (int i = 0; i < each; i++) {
                        fixture.store().write(TOOLS, key("counter"), increment(runs));
                    }
                });

        assertThat(value(fixture.store().find(TOOLS, key("counter")).orElseThrow()))
                .isEqualTo(Integer.toString(writers * each));
        assertThat(runs.get()).isGreaterThanOrEqualTo(writers * each);
        assertThat(changesOf("counter")).isEqualTo(writers * each);
    }

    private static Mutation increment(AtomicInteger runs) {
        return current -> {
            runs.incrementAndGet();
            int count = current.map(document -> Integer.parseInt(value(document))).orElse(0);
            return new Mutation.Outcome.Put(tool(key("counter"), Integer.toString(count + 1)));
        };
    }

    @Test
    void ofManyCreationsOfOneNameOneWins() throws Exception {
        for (int round = 0; round < 10; round++) {
            ResourceKey key = key("raced-" + round);
            inParallel(
                    8, writer -> fixture.store().write(TOOLS, key, createOnce(key, "w" + writer)));

            assertThat(changesOf(key.name())).isEqualTo(1);
        }
    }

    private static Mutation createOnce(ResourceKey key, String value) {
        return current ->
                current.isPresent()
                        ? new Mutation.Outcome.Keep(current.get())
                        : new Mutation.Outcome.Put(tool(key, value));
    }

    @Test
    void overlappingBatchesDoNotBlockEachOtherForGood() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        inParallel(
                4,
                writer -> {
                    for (int i = 0; i < 10; i++) {
                        SortedMap<ResourceKey, Mutation> mutations = new TreeMap<>();
                        for (int n = 0; n < 6; n++) {
                            ResourceKey key = key("overlap-" + (n * 7 + writer) % 9);
                            String value = "w%d-%d".formatted(writer, runs.incrementAndGet());
                            mutations.put(key, _ -> new Mutation.Outcome.Put(tool(key, value)));
                        }
                        fixture.store().writeAll(TOOLS, mutations);
                    }
                });

        assertThat(
                        fixture.jdbc()
                                .sql(
                                        "SELECT count(*) FROM resource_change WHERE name LIKE"
                                                + " 'overlap-%'")
                                .query(Long.class)
                                .single())
                .isEqualTo(4 * 10 * 6);
    }

    @Test
    void eventsDrawFromACounterOfTheirOwn() {
        fixture.put(key("main"), "a");
        long main = fixture.head().value();
        long events = fixture.store().head(Event.DESCRIPTOR.shard()).value();
        ObjectNode event = labelled(tool(key("event"), "x"), "a", "b");
        event.put("kind", "Event").put("apiVersion", "v1").put("reason", "nul\0");

        fixture.put(Event.DESCRIPTOR, event);

        assertThat(fixture.head().value()).isEqualTo(main);
        assertThat(fixture.store().head(Event.DESCRIPTOR.shard()).value()).isEqualTo(events + 1);
    }

    @Test
    void logWithoutRoomIsExtendedByTheWriteThatNeedsIt() {
        StoreSettings small = TestSettings.retaining(Duration.ofHours(1), 10_000, 2);
        try (StoreFixture tight = new StoreFixture(small)) {
            long start = tight.head().value();
            for (int i = 0; i < 25; i++) {
                tight.put(key("n" + i), "a");
            }
            assertThat(tight.head().value()).isEqualTo(start + 25);
        }
    }

    private static long changesOf(String name) {
        return fixture.jdbc()
                .sql("SELECT count(*) FROM resource_change WHERE name = ?")
                .param(name)
                .query(Long.class)
                .single();
    }

    private interface Work {
        void run(int worker) throws Exception;
    }

    private static void inParallel(int workers, Work work) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int worker = 0; worker < workers; worker++) {
                int number = worker;
                running.add(
                        executor.submit(
                                () -> {
                                    work.run(number);
                                    return null;
                                }));
            }
            for (Future<?> future : running) {
                future.get();
            }
        }
    }
}
