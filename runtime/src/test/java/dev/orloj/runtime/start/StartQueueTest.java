package dev.orloj.runtime.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

@Timeout(30)
@DisplayName("H-01")
class StartQueueTest {

    private final StartQueue queue = new StartQueue(1);
    private final List<String> started = new CopyOnWriteArrayList<>();
    private final List<Thread> waiting = new ArrayList<>();

    private void enqueue(String namespace, String name) {
        enqueue(namespace, name, false);
    }

    private void enqueue(String namespace, String name, boolean retry) {
        ResourceKey key = new ResourceKey(namespace, name);
        Thread thread =
                Thread.startVirtualThread(
                        () -> {
                            try {
                                queue.take(key, retry);
                                started.add(key.toString());
                            } catch (InterruptedException e) {
                                started.add("interrupted " + key);
                            }
                        });
        waiting.add(thread);
        await().until(() -> thread.getState() == Thread.State.WAITING);
    }

    private void serve(int places) {
        for (int place = 0; place < places; place++) {
            int expected = started.size() + 1;
            queue.giveBack();
            await().until(() -> started.size() == expected);
        }
    }

    @Test
    void namespacesTakeTurnsAndSoDoTheirServers() throws InterruptedException {
        queue.take(new ResourceKey("a", "first"), false);
        enqueue("a", "many");
        enqueue("a", "many");
        enqueue("a", "many");
        enqueue("a", "one");
        enqueue("b", "late");

        serve(5);

        assertThat(started).containsExactly("a/many", "b/late", "a/one", "a/many", "a/many");
    }

    @Test
    void newServerDoesNotWaitForAllThatCameBefore() throws InterruptedException {
        queue.take(new ResourceKey("a", "first"), false);
        for (int n = 1; n <= 4; n++) {
            enqueue("a", "old-" + n);
        }
        enqueue("a", "new");

        serve(5);

        assertThat(started)
                .as("no old one waits forever either")
                .containsExactly("a/old-1", "a/new", "a/old-2", "a/old-4", "a/old-3");
    }

    @Test
    void retriesDoNotDelayNewServersAndTakeTheirTurns() throws InterruptedException {
        queue.take(new ResourceKey("a", "first"), false);
        enqueue("a", "failed-1", true);
        enqueue("a", "failed-2", true);
        enqueue("a", "new-1");
        enqueue("a", "new-2");
        enqueue("a", "new-3");

        serve(5);

        assertThat(started)
                .containsExactly("a/new-1", "a/new-3", "a/failed-1", "a/new-2", "a/failed-2");
    }

    @Test
    void oneThatGivesUpTakesNoPlace() throws InterruptedException {
        queue.take(new ResourceKey("a", "first"), false);
        enqueue("a", "given-up");
        enqueue("a", "next");

        waiting.getFirst().interrupt();
        await().until(() -> started.contains("interrupted a/given-up"));
        serve(1);

        assertThat(started).containsExactly("interrupted a/given-up", "a/next");
        queue.giveBack();
        queue.take(new ResourceKey("a", "free again"), false);
    }
}
