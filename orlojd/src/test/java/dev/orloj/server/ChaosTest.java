package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.Processes;
import dev.orloj.server.testing.Footprint;
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
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Fifty real children, most of them hostile, under calls, edits, deletions, changed Secrets and the
 * death of orlojd. After each round nothing is left that should not be - no process, descriptor,
 * thread, temporary file or session - every healthy server answers with what its Secret holds now,
 * and the heap is no larger than after the round before. Each life of orlojd ends with its death in
 * the midst of it all. Lives, rounds of each, and the seed are the system properties {@code
 * orloj.chaos.lives}, {@code orloj.chaos.rounds} and {@code orloj.chaos.seed}.
 */
class ChaosTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final int LIVES = Integer.getInteger("orloj.chaos.lives", 2);
    private static final int ROUNDS = Integer.getInteger("orloj.chaos.rounds", 2);
    private static final long SEED = Long.getLong("orloj.chaos.seed", 20_261_121);
    private static final int HEALTHY = 10;
    private static final int HOSTILE = 40;
    private static final int SECRETS = 3;
    private static final int CALLS = 100;
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
    private final int[] secrets = new int[SECRETS];

    @TempDir Path folder;

    @Test
    void nothingIsLeftAndTheHealthyAnswerWhateverTheOthersDo() throws Exception {
        System.out.printf("chaos: %d lives of %d rounds, seed %d%n", LIVES, ROUNDS, SEED);
        ScriptedServers servers = ScriptedServers.in(folder);
        Path data = folder.resolve("data");
        OrlojdProcess orlojd = OrlojdProcess.start(data);
        try {
            createHealthy(orlojd.client(), servers);
            for (int life = 0; life < LIVES; life++) {
                RestClient client = orlojd.client();
                Optional<Footprint> before = Optional.empty();
                for (int round = 0; round < ROUNDS; round++) {
                    disturb(client, servers);
                    clearAway(client);
                    assertHealthy(client);
                    assertNothingLeft(servers, HEALTHY);
                    before = Optional.of(footprint(orlojd.pid(), client, data, before));
                    System.out.printf("chaos: life %d, round %d, %s%n", life, round, before.get());
                }
                addHostile(client, servers);
                orlojd.kill();
                assertNothingLeft(servers, 0);
                orlojd = OrlojdProcess.start(data);
                clearAway(orlojd.client());
                assertHealthy(orlojd.client());
            }
            assertThat(orlojd.stop()).isZero();
            assertNothingLeft(servers, 0);
            assertThat(Footprint.temporaryFiles(data)).isEmpty();
        } finally {
            orlojd.close();
        }
    }

    private void createHealthy(RestClient client, ScriptedServers servers) {
        for (int i = 0; i < SECRETS; i++) {
            client.create("default", "secrets", secret(i));
        }
        for (int i = 0; i < HEALTHY; i++) {
            client.create("default", "mcpservers", servers.manifest("h" + i, "healthy", token(i)));
        }
        assertHealthy(client);
    }

    private String secret(int i) {
        return """
        {"apiVersion": "orloj.dev/v1", "kind": "Secret", "metadata": {"name": "s%d"},
         "spec": {"stringData": {"value": "%d"}}}
        """
                .formatted(i, secrets[i]);
    }

    private static String token(int server) {
        return "env: [{name: TOKEN, secretRef: s%d}]".formatted(server % SECRETS);
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
                if (i % 25 == 0) {
                    rotate(client, random.nextInt(SECRETS));
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
                            "drain_timeout: 1s",
                            token(i)));
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

    private void rotate(RestClient client, int secret) {
        secrets[secret] = random.nextInt(1_000_000);
        client.patch(
                        RestClient.collection("default", "secrets") + "/s" + secret,
                        "{\"spec\":{\"stringData\":{\"value\":\"%d\"}}}".formatted(secrets[secret]))
                .expect(200);
    }

    private static void clearAway(RestClient client) {
        for (int i = 0; i < HOSTILE; i++) {
            assertThat(client.delete(SERVERS + "/x" + i).code()).isIn(200, 202, 404);
        }
        await().atMost(TIMEOUT)
                .until(() -> client.get(SERVERS).body().path("items").size() == HEALTHY);
    }

    private void assertHealthy(RestClient client) {
        for (int i = 0; i < HEALTHY; i++) {
            String tool = "h" + i + "--echo";
            String answer = "healthy " + secrets[i % SECRETS];
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    client.call("default", tool, "{}")
                                                            .expect(200)
                                                            .body()
                                                            .at("/content/0/text")
                                                            .asString())
                                            .isEqualTo(answer));
        }
    }

    private static void assertNothingLeft(ScriptedServers servers, int expected) {
        await().atMost(TIMEOUT)
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

    /** The first round of a life fills pools and caches; no later one may add to them. */
    private static Footprint footprint(
            long pid, RestClient client, Path data, Optional<Footprint> before) {
        AtomicReference<Footprint> found = new AtomicReference<>();
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> {
                            Footprint now = Footprint.of(pid, client, data);
                            assertThat(now.sessions()).as("sessions").isEqualTo(HEALTHY);
                            assertThat(now.temporaryFiles()).as("temporary files").isZero();
                            before.ifPresent(now::assertNoLargerThan);
                            found.set(now);
                        });
        return found.get();
    }
}
