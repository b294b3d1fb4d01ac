package dev.orloj.cli.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.CoreSecret;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.cli.http.ApiConnection;
import dev.orloj.cli.http.ConnectionException;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.http.ServerLocation;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

class BatchTest {

    private static Intent intent(Kind<?> kind, String name) {
        return new Intent(kind, new ResourceKey("default", name), Json.MAPPER.createObjectNode());
    }

    private static List<Intent> servers(int count) {
        return IntStream.range(0, count).mapToObj(i -> intent(McpServer.KIND, "s" + i)).toList();
    }

    @Test
    void whatOthersNeedComesFirst() {
        List<Intent> intents =
                List.of(
                        intent(Tool.KIND, "t"),
                        intent(McpServer.KIND, "s"),
                        intent(Secret.KIND, "a"),
                        intent(CoreSecret.KIND, "b"),
                        intent(ConfigMap.KIND, "c"),
                        intent(Namespace.KIND, "n"),
                        intent(McpServer.KIND, "s2"));

        assertThat(Batch.stages(intents))
                .containsExactly(List.of(5), List.of(4), List.of(2, 3), List.of(1, 6), List.of(0));
    }

    @Test
    void documentsOfOneResourceAreInStagesOfTheirOwn() {
        List<Intent> intents =
                List.of(
                        intent(Secret.KIND, "a"),
                        intent(Secret.KIND, "b"),
                        intent(CoreSecret.KIND, "a"),
                        intent(Secret.KIND, "c"));

        assertThat(Batch.stages(intents)).containsExactly(List.of(0, 1), List.of(2, 3));
    }

    @Test
    void noMoreThanEightAreInFlight() {
        CountDownLatch eight = new CountDownLatch(Batch.IN_FLIGHT);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();

        new Batch<>(
                        servers(40),
                        intent -> {
                            most.accumulateAndGet(running.incrementAndGet(), Math::max);
                            eight.countDown();
                            await(eight);
                            return running.decrementAndGet();
                        })
                .run((_, result) -> assertThat(result.get()).isNotNull());

        assertThat(most).hasValue(Batch.IN_FLIGHT);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void resultsAndFailuresComeInTheOrderOfTheDocuments() {
        CountDownLatch last = new CountDownLatch(1);
        List<String> seen = new ArrayList<>();

        new Batch<>(
                        servers(3),
                        intent -> {
                            if (intent.key().name().equals("s2")) {
                                last.countDown();
                            }
                            await(last);
                            if (intent.key().name().equals("s1")) {
                                throw ApiException.badRequest("no");
                            }
                            return intent.key().name();
                        })
                .run(
                        (position, result) -> {
                            try {
                                seen.add(position + " " + result.get());
                            } catch (ApiException e) {
                                seen.add(position + " " + e.getMessage());
                            }
                        });

        assertThat(seen).containsExactly("0 s0", "1 no", "2 s2");
    }

    @Test
    void lostServerEndsTheBatchAfterTheResultsThatAreThere() {
        ApiConnection nowhere =
                new ApiConnection(
                        ServerLocation.find(Optional.of("http://127.0.0.1:1"), Map.of()),
                        Optional.empty(),
                        Duration.ofSeconds(10),
                        _ -> {});
        List<Intent> intents = new ArrayList<>(List.of(intent(Namespace.KIND, "n")));
        intents.addAll(servers(100));
        List<Integer> seen = new ArrayList<>();
        AtomicInteger tried = new AtomicInteger();
        Batch<String> batch =
                new Batch<>(
                        intents,
                        intent -> {
                            if (tried.getAndIncrement() > 0) {
                                nowhere.patch(Request.of("PATCH", "/x", new byte[0]));
                            }
                            return "done";
                        });

        assertThatThrownBy(() -> batch.run((position, _) -> seen.add(position)))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("connection refused");
        assertThat(seen).containsExactly(0);
    }
}
