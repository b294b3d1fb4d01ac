package dev.orloj.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.testing.FaultyClient;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** Informers that a test holds behind their store. */
@Timeout(60)
class CatalogFreshnessTest {

    private final MemoryResourceClient store = new MemoryResourceClient(InstantSource.system());
    private final FaultyClient client = new FaultyClient(store);
    private final Informers informers =
            new Informers(client, List.of(Tool.KIND, McpServer.KIND, Namespace.KIND));
    private final Informer<McpServer> servers = informers.of(McpServer.KIND);
    private final AtomicInteger reads = new AtomicInteger();
    private final CountDownLatch answer = new CountDownLatch(1);

    @BeforeEach
    void start() throws InterruptedException {
        informers.all().forEach(Informer::start);
        for (Informer<?> each : informers.all()) {
            each.awaitSynced();
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        client.heal();
        answer.countDown();
        for (Informer<?> each : informers.all()) {
            each.close();
        }
    }

    private CatalogFreshness freshness(Duration pause) {
        return new CatalogFreshness(client, informers, pause);
    }

    /** From now on the informers receive nothing, and the store answers when it may. */
    private void cutOff(boolean storeAnswers) {
        client.failBefore(
                request -> {
                    switch (request.verb()) {
                        case WATCH, LIST -> throw unavailable();
                        case NEWEST_CHANGE -> {
                            if (request.kind().equals(Tool.KIND)) {
                                reads.incrementAndGet();
                                awaitAnswer(storeAnswers);
                            }
                        }
                        default -> {}
                    }
                });
        store.cutWatches();
    }

    private void awaitAnswer(boolean storeAnswers) {
        try {
            if (!storeAnswers) {
                answer.await();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ApiException unavailable() {
        return new ApiException(ErrorReason.SERVICE_UNAVAILABLE, "the database is away");
    }

    private void createServer() {
        store.create(
                McpServer.KIND,
                ResourceCodec.fromDocument(
                        McpServer.KIND,
                        (ObjectNode)
                                Json.MAPPER.readTree(
                                        """
                                        {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                                         "metadata": {"namespace": "default", "name": "git"},
                                         "spec": {"transport": "stdio", "command": "git-mcp"}}
                                        """)));
    }

    private static Thread start(FutureTask<Boolean> task) {
        return Thread.ofPlatform().start(task);
    }

    private FutureTask<Boolean> awaiting(CatalogFreshness freshness) {
        return new FutureTask<>(
                () -> {
                    freshness.await();
                    return !servers.cache().list().isEmpty();
                });
    }

    @Test
    void serverThatTheInformerHasNotReceivedIsAwaited() throws Exception {
        cutOff(true);
        createServer();
        FutureTask<Boolean> found = awaiting(freshness(Duration.ofMillis(1)));
        Thread caller = start(found);
        await().until(() -> reads.get() == 1);
        await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);

        client.heal();

        assertThat(found.get()).isTrue();
    }

    @Test
    void namespaceThatTheInformerHasNotReceivedIsAwaited() throws Exception {
        cutOff(true);
        store.create(Namespace.KIND, Namespace.of("team"));
        CatalogFreshness freshness = freshness(Duration.ofMillis(1));
        FutureTask<Boolean> found =
                new FutureTask<>(
                        () -> {
                            freshness.await();
                            return freshness.hasNamespace("team");
                        });
        Thread caller = start(found);
        await().until(() -> reads.get() == 1);
        await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
        assertThat(freshness.hasNamespace("team")).isFalse();

        client.heal();

        assertThat(found.get()).isTrue();
    }

    @Test
    void allWhoArriveDuringOneReadShareTheNext() throws Exception {
        cutOff(false);
        CatalogFreshness freshness = freshness(Duration.ofMillis(1));
        List<FutureTask<Boolean>> waiting = new ArrayList<>();
        waiting.add(awaiting(freshness));
        start(waiting.getFirst());
        await().until(() -> reads.get() == 1);
        for (int i = 0; i < 20; i++) {
            FutureTask<Boolean> late = awaiting(freshness);
            waiting.add(late);
            Thread caller = start(late);
            await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
        }

        answer.countDown();

        for (FutureTask<Boolean> each : waiting) {
            assertThat(each.get()).isFalse();
        }
        assertThat(reads).hasValue(2);
    }

    @Test
    void storeIsNotReadAgainDuringThePause() throws Exception {
        cutOff(true);
        CatalogFreshness freshness = freshness(Duration.ofHours(1));
        freshness.await();

        freshness.awaitBriefly();
        freshness.awaitBriefly();

        assertThat(reads).hasValue(1);
    }

    @Test
    void errorOfTheStoreIsThatOfTheOneWhoInsists() throws Exception {
        client.failBefore(
                request -> {
                    throw unavailable();
                });
        CatalogFreshness freshness = freshness(Duration.ofMillis(1));

        assertThatThrownBy(freshness::await).hasMessage("the database is away");
        freshness.awaitBriefly();
    }

    @Test
    void shortWaitEndsThoughTheStoreDoesNotAnswer() throws Exception {
        cutOff(false);
        CatalogFreshness freshness = freshness(Duration.ofMillis(1));

        freshness.awaitBriefly();
        long before = System.nanoTime();
        for (int i = 0; i < 100; i++) {
            freshness.awaitBriefly();
        }

        assertThat(reads).hasValue(1);
        // A second each, if they waited.
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(50));
    }
}
