package dev.orloj.controllers.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.Write;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.testing.FaultyClient;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** H-02. */
class BatchedWritesTest {

    private final MemoryResourceClient store = new MemoryResourceClient(new ManualClock());
    private final FaultyClient client = new FaultyClient(store);
    private final AtomicInteger made = new AtomicInteger();

    private final BatchedWrites<ConfigMap> writes =
            new BatchedWrites<>(
                    client, ConfigMap.KIND, map -> map.data().getOrDefault("text", "").length());

    @Test
    void noMoreWritesAreMadeThanOneBatchHolds() throws InterruptedException {
        // The iterator of a stream is one element ahead.
        int most = BatchedWrites.MAX_WRITES + 1;
        client.failBefore(request -> assertThat(made.getAndSet(0)).isBetween(0, most));

        assertThat(writes.write(creations(1_001, "")::iterator, () -> true)).isTrue();

        assertThat(client.writes()).isEqualTo(6);
        assertThat(stored()).isEqualTo(1_001);
    }

    @Test
    void largeResourcesMakeSmallBatches() throws InterruptedException {
        writes.write(creations(5, "x".repeat(600_000))::iterator, () -> true);

        assertThat(client.writes()).isEqualTo(3);
        assertThat(stored()).isEqualTo(5);
    }

    @Test
    void refusalToGoOnEndsThemBetweenTwoBatches() throws InterruptedException {
        assertThat(writes.write(creations(1_000, "")::iterator, () -> client.writes() < 2))
                .isFalse();

        assertThat(stored()).isEqualTo(2 * BatchedWrites.MAX_WRITES);
    }

    @Test
    void interruptEndsThemBetweenTwoBatches() {
        client.failAfter(request -> Thread.currentThread().interrupt());

        assertThatThrownBy(() -> writes.write(creations(1_000, "")::iterator, () -> true))
                .isInstanceOf(InterruptedException.class);

        assertThat(stored()).isEqualTo(BatchedWrites.MAX_WRITES);
    }

    private int stored() {
        return store.list(ConfigMap.KIND, ListOptions.everything()).items().size();
    }

    private Stream<Write<ConfigMap>> creations(int number, String text) {
        return IntStream.range(0, number)
                .mapToObj(
                        i -> {
                            made.incrementAndGet();
                            ObjectMeta metadata = ObjectMeta.of("default", "c" + i);
                            return new Write.Create<>(map(metadata, text));
                        });
    }

    private static ConfigMap map(ObjectMeta metadata, String text) {
        return new ConfigMap("v1", "ConfigMap", metadata, Map.of("text", text), Map.of(), false);
    }
}
