package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.Processes;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.ScriptedServers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Fifty real children, most of them hostile, under calls, edits, deletions and the death of orlojd.
 * After each round nothing is left that should not be, and every healthy server answers. Rounds and
 * seed are the system properties {@code orloj.chaos.rounds} and {@code orloj.chaos.seed}.
 */
class ChaosTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int ROUNDS = Integer.getInteger("orloj.chaos.rounds", 2);
    private static final long SEED = Long.getLong("orloj.chaos.seed", 20_261_121);
    private static final int HEALTHY = 10;
    private static final int HOSTILE = 40;
    private static final int CALLS = 100;
    private static final int SPARE_DESCRIPTORS = 40;
    private static final int SPARE_THREADS = 40;
    private static final String SERVERS = RestClient.collection("default", "mcpservers");
    private static final List<String> HOSTILITIES =
            List.of(
                    "dies-at-once",
                    "dies-mid-call",
                    "detaches",
                    "stubborn",
                    "garbage",
                    "long-line",
                    "never-answers",
                    "answers-twice",
                    "floods-stderr",
                    "closes-stdout");

    private final Random random = new Random(SEED);

    @TempDir Path folder;

    @Test
    void nothingIsLeftAndTheHealthyAnswerWhateverTheOthersDo() throws Exception {
        System.out.printf("chaos: %d rounds, seed %d%n", ROUNDS, SEED);
        ScriptedServers servers = ScriptedServers.in(folder);
        OrlojdProcess orlojd = OrlojdProcess.start(folder.resolve("data"));
        try {
            RestClient first = orlojd.client();
            for (int i = 0; i < HEALTHY; i++) {
                first.create("default", "mcpservers", servers.manifest("h" + i, "healthy"));
            }
            assertHealthy(first);
            for (int round = 0; round < ROUNDS; round++) {
                RestClient client = orlojd.client();
                Usage before = Usage.of(orlojd.pid());
                disturb(client, servers);
                clearAway(client);
                assertHealthy(client);
                assertNothingLeft(servers, HEALTHY);
                assertBackTo(before, orlojd.pid());
                System.out.printf("chaos: round %d, %s%n", round, Usage.of(orlojd.pid()));

                addHostile(client, servers);
                orlojd.kill();
                assertNothingLeft(servers, 0);
                orlojd = OrlojdProcess.start(folder.resolve("data"));
                clearAway(orlojd.client());
                assertHealthy(orlojd.client());
            }
            assertThat(orlojd.stop()).isZero();
            assertNothingLeft(servers, 0);
        } finally {
            orlojd.close();
        }
    }

    private void disturb(RestClient client, ScriptedServers servers) throws Exception {
        addHostile(client, servers);
        List<Future<Integer>> codes = new ArrayList<>();
        try (ExecutorService callers = Executors.newFixedThreadPool(16)) {
            for (int i = 0; i < CALLS; i++) {
                String server =
                        random.nextBoolean()
                                ? "h" + random.nextInt(HEALTHY)
                                : "x" + random.nextInt(HOSTILE);
                codes.add(
                        callers.submit(
                                () -> client.call("default", server + "--echo", "{}").code()));
                if (i % 5 == 0) {
                    edit(client, "x" + random.nextInt(HOSTILE));
                }
            }
        }
        for (Future<Integer> code : codes) {
            assertThat(code.get()).isIn(200, 404, 422, 429, 502, 503, 504);
        }
    }

    private void addHostile(RestClient client, ScriptedServers servers) {
        for (int i = 0; i < HOSTILE; i++) {
            client.create(
                    "default",
                    "mcpservers",
                    servers.manifest(
                            "x" + i,
                            HOSTILITIES.get(i % HOSTILITIES.size()),
                            "timeout: 2s",
                            "startup_timeout: 10s",
                            "shutdown_grace: 300ms",
                            "drain_timeout: 1s"));
        }
    }

    /** Another definition, so another session; or none at all. */
    private void edit(RestClient client, String server) {
        String spec =
                random.nextInt(4) == 0
                        ? "{\"spec\":{\"suspend\":true}}"
                        : "{\"spec\":{\"env\":[{\"name\":\"N\",\"value\":\"%d\"}]}}"
                                .formatted(random.nextInt());
        assertThat(client.patch(SERVERS + "/" + server, spec).code()).isIn(200, 409);
    }

    private static void clearAway(RestClient client) {
        for (int i = 0; i < HOSTILE; i++) {
            assertThat(client.delete(SERVERS + "/x" + i).code()).isIn(200, 202, 404);
        }
        await().atMost(PATIENCE)
                .until(() -> client.get(SERVERS).body().path("items").size() == HEALTHY);
    }

    private static void assertHealthy(RestClient client) {
        for (int i = 0; i < HEALTHY; i++) {
            String tool = "h" + i + "--echo";
            await().atMost(PATIENCE)
                    .untilAsserted(() -> client.call("default", tool, "{}").expect(200));
        }
    }

    private static void assertNothingLeft(ScriptedServers servers, int expected) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            List<Long> left = Processes.withCommandLine(servers.mark());
                            if (expected == 0) {
                                assertThat(left).isEmpty();
                            }
                            assertThat(left).filteredOn(ChaosTest::isServer).hasSize(expected);
                        });
    }

    /** The helpers that confine a server have its command in their own command lines. */
    private static boolean isServer(long pid) {
        try {
            String command = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
            return Path.of(command.split("\0", -1)[0]).endsWith("python3");
        } catch (IOException e) {
            return false;
        }
    }

    private static void assertBackTo(Usage before, long pid) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            Usage now = Usage.of(pid);
                            assertThat(now.descriptors())
                                    .isLessThan(before.descriptors() + SPARE_DESCRIPTORS);
                            assertThat(now.threads()).isLessThan(before.threads() + SPARE_THREADS);
                        });
    }

    /** What a process holds, as /proc tells. */
    private record Usage(long descriptors, long threads, String memory) {

        static Usage of(long pid) throws IOException {
            Path process = Path.of("/proc", Long.toString(pid));
            String memory =
                    Files.readAllLines(process.resolve("status")).stream()
                            .filter(line -> line.startsWith("VmRSS"))
                            .findFirst()
                            .orElse("");
            return new Usage(count(process.resolve("fd")), count(process.resolve("task")), memory);
        }

        private static long count(Path folder) throws IOException {
            try (Stream<Path> entries = Files.list(folder)) {
                return entries.count();
            }
        }
    }
}
