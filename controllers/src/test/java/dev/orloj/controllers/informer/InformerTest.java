package dev.orloj.controllers.informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.testing.FaultyClient;
import dev.orloj.api.testing.FaultyClient.Verb;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

class InformerTest {

    private final MemoryResourceClient store = new MemoryResourceClient(new ManualClock());
    private final FaultyClient client = new FaultyClient(store);
    private final Informer<Namespace> informer = new Informer<>(client, Namespace.KIND);
    private final List<String> reported = new CopyOnWriteArrayList<>();

    @BeforeEach
    void recordWhatIsReported() {
        informer.addHandler(
                new EventHandler<Namespace>() {
                    @Override
                    public void added(Namespace resource, boolean initial) {
                        reported.add((initial ? "listed " : "added ") + name(resource));
                    }

                    @Override
                    public void updated(Namespace before, Namespace after) {
                        reported.add("updated " + name(after) + colour(before) + colour(after));
                    }

                    @Override
                    public void deleted(Namespace last) {
                        reported.add("deleted " + name(last) + colour(last));
                    }
                });
    }

    @AfterEach
    void stop() throws InterruptedException {
        informer.close();
    }

    private static String name(Namespace namespace) {
        return namespace.metadata().name();
    }

    private static String colour(Namespace namespace) {
        return " " + namespace.metadata().labels().getOrDefault("colour", "none");
    }

    private void create(String name) {
        store.create(Namespace.KIND, Namespace.of(name));
    }

    private void paint(String name, String colour) {
        Namespace namespace = store.get(Namespace.KIND, new ResourceKey("", name));
        ObjectMeta metadata = namespace.metadata().withLabels(Map.of("colour", colour));
        store.update(Namespace.KIND, namespace.withMetadata(metadata));
    }

    private void delete(String name) {
        store.delete(Namespace.KIND, new ResourceKey("", name), DeleteOptions.UNCONDITIONAL);
    }

    private void startAndSync() {
        informer.start();
        await().until(informer::hasSynced);
    }

    private void awaitReported(String... notification) {
        await().untilAsserted(() -> assertThat(reported).containsExactly(notification));
    }

    /** Makes the store unreachable until {@link FaultyClient#heal}, open watches included. */
    private void cutOff() {
        AtomicBoolean refused = new AtomicBoolean();
        client.failBefore(
                request -> {
                    refused.set(true);
                    throw new ApiException(ErrorReason.SERVICE_UNAVAILABLE, "the store is away");
                });
        // A watch that was asked for just before opens only now.
        await().until(
                        () -> {
                            store.cutWatches();
                            return refused.get();
                        });
    }

    @Test
    void listsThenFollows() {
        create("a");
        create("b");
        startAndSync();
        assertThat(reported).containsExactly("listed a", "listed b");

        create("c");
        paint("a", "red");
        delete("b");

        awaitReported("listed a", "listed b", "added c", "updated a none red", "deleted b none");
        assertThat(informer.cache().list())
                .extracting(InformerTest::name)
                .containsExactly("a", "c");
    }

    @Test
    void followsAStoreThatWasEmpty() {
        startAndSync();

        create("a");

        awaitReported("added a");
    }

    @Test
    void handlersSeeTheChangeInTheCache() {
        List<Boolean> inCache = new CopyOnWriteArrayList<>();
        informer.addHandler(
                new EventHandler<Namespace>() {
                    @Override
                    public void added(Namespace resource, boolean initial) {
                        inCache.add(informer.cache().find(resource.key()).isPresent());
                    }

                    @Override
                    public void updated(Namespace before, Namespace after) {}

                    @Override
                    public void deleted(Namespace last) {
                        inCache.add(informer.cache().find(last.key()).isEmpty());
                    }
                });
        create("a");
        startAndSync();
        delete("a");

        await().untilAsserted(() -> assertThat(inCache).containsExactly(true, true));
    }

    @Test
    void resumesAfterTheWatchWasCut() {
        startAndSync();
        create("a");
        awaitReported("added a");
        cutOff();
        create("b");

        client.heal();

        awaitReported("added a", "added b");
    }

    @Test
    void isFreshOnlyWhenTheHandlersHaveReceivedTheWrite() throws InterruptedException {
        startAndSync();
        cutOff();
        create("a");
        ResourceVersion written =
                store.get(Namespace.KIND, new ResourceKey("", "a")).metadata().resourceVersion();
        assertThat(informer.awaitFresh(written, Duration.ofMillis(1))).isFalse();

        client.heal();

        assertThat(informer.awaitFresh(written, Duration.ofMinutes(1))).isTrue();
        assertThat(reported).containsExactly("added a");
    }

    /** As after the start of a replica when the log of changes has been compacted meanwhile. */
    @Test
    void isNotFreshBeforeItsFirstListThoughNoChangeIsKnown() throws InterruptedException {
        create("a");
        CountDownLatch mayList = new CountDownLatch(1);
        client.failBefore(
                request -> {
                    if (request.verb() == Verb.LIST) {
                        awaitUninterrupted(mayList);
                    }
                });
        informer.start();

        assertThat(informer.awaitFresh(ResourceVersion.UNSET, Duration.ofMillis(1))).isFalse();
        mayList.countDown();

        assertThat(informer.awaitFresh(ResourceVersion.UNSET, Duration.ofMinutes(1))).isTrue();
        assertThat(reported).containsExactly("listed a");
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void isFreshAfterItHasListedAgain() throws InterruptedException {
        startAndSync();
        cutOff();
        create("a");
        store.compact();
        ResourceVersion written =
                store.get(Namespace.KIND, new ResourceKey("", "a")).metadata().resourceVersion();

        client.heal();

        assertThat(informer.awaitFresh(written, Duration.ofMinutes(1))).isTrue();
        assertThat(reported).containsExactly("added a");
    }

    @Test
    void listsAgainAfterCompactionAndReportsTheDifference() {
        create("kept");
        create("painted");
        create("gone");
        startAndSync();
        reported.clear();
        cutOff();
        delete("gone");
        paint("painted", "red");
        create("new");
        store.compact();

        client.heal();

        await().untilAsserted(
                        () ->
                                assertThat(reported)
                                        .containsExactlyInAnyOrder(
                                                "updated painted none red",
                                                "added new",
                                                "deleted gone none"));
    }

    @Test
    void recreationBehindItsBackIsADeletionAndAnAddition() {
        create("a");
        startAndSync();
        reported.clear();
        cutOff();
        paint("a", "red");
        delete("a");
        create("a");
        store.compact();

        client.heal();

        awaitReported("deleted a none", "added a");
    }

    @Test
    void startsOnceTheStoreIsThere() {
        create("a");
        client.failNext(
                Verb.LIST,
                Namespace.KIND,
                new ApiException(ErrorReason.SERVICE_UNAVAILABLE, "not yet"));

        startAndSync();

        awaitReported("listed a");
    }

    @Test
    void failingHandlerDoesNotStopTheOthers() {
        Informer<Namespace> fragile = new Informer<>(store, Namespace.KIND);
        List<String> received = new CopyOnWriteArrayList<>();
        fragile.addHandler(
                new EventHandler<Namespace>() {
                    @Override
                    public void added(Namespace resource, boolean initial) {
                        received.add(name(resource));
                        throw new IllegalStateException("a handler with a bug");
                    }

                    @Override
                    public void updated(Namespace before, Namespace after) {}

                    @Override
                    public void deleted(Namespace last) {}
                });
        create("a");
        create("b");
        try (AutoCloseable _ = fragile::close) {
            fragile.start();
            await().untilAsserted(() -> assertThat(received).containsExactly("a", "b"));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void indexFollowsChanges() {
        Index<Namespace> byColour = informer.addIndex(n -> n.metadata().labels().values());
        create("a");
        create("b");
        startAndSync();

        paint("a", "red");
        paint("b", "red");
        await().untilAsserted(
                        () ->
                                assertThat(byColour.find("red"))
                                        .extracting(InformerTest::name)
                                        .containsExactly("a", "b"));
        paint("a", "blue");
        delete("b");

        await().untilAsserted(() -> assertThat(byColour.find("red")).isEmpty());
        assertThat(byColour.find("blue")).extracting(InformerTest::name).containsExactly("a");
    }

    /**
     * Whatever happens in between, the cache and a model fed by the handlers end as the store is.
     */
    @Test
    void convergesUnderRandomChangesCutsAndCompactions() {
        long seed = new Random().nextLong();
        System.out.println("InformerTest seed " + seed);
        Random random = new Random(seed);
        Map<String, String> model = new ConcurrentHashMap<>();
        informer.addHandler(
                new EventHandler<Namespace>() {
                    @Override
                    public void added(Namespace resource, boolean initial) {
                        if (model.put(name(resource), colour(resource)) != null) {
                            model.put("error", "added twice");
                        }
                    }

                    @Override
                    public void updated(Namespace before, Namespace after) {
                        if (!model.replace(name(after), colour(before), colour(after))) {
                            model.put("error", "updated from a state never reported");
                        }
                    }

                    @Override
                    public void deleted(Namespace last) {
                        model.remove(name(last));
                    }
                });
        startAndSync();
        Map<String, String> truth = new TreeMap<>();
        for (int step = 0; step < 500; step++) {
            String name = "n" + random.nextInt(10);
            switch (random.nextInt(6)) {
                case 0 -> {
                    if (truth.putIfAbsent(name, " none") == null) {
                        create(name);
                    }
                }
                case 1 -> {
                    if (truth.remove(name) != null) {
                        delete(name);
                    }
                }
                case 2 -> {
                    if (random.nextInt(10) == 0) {
                        store.cutWatches();
                    }
                }
                case 3 -> {
                    if (random.nextInt(10) == 0) {
                        store.compact();
                    }
                }
                default -> {
                    String colour = "c" + random.nextInt(3);
                    if (truth.replace(name, " " + colour) != null) {
                        paint(name, colour);
                    }
                }
            }
        }
        await().untilAsserted(() -> assertThat(model).as("seed %d", seed).isEqualTo(truth));
        assertThat(informer.cache().list())
                .extracting(InformerTest::name)
                .containsExactlyElementsOf(truth.keySet());
    }
}
