package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;
import dev.orloj.server.testing.ScriptedServers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Real processes, many calls at a time, and what must not go wrong meanwhile. */
@Timeout(300)
class SessionLoadTest {

    private static final int EDITS = 1_000;
    private static final int CALLERS = 8;
    private static final int CROWD = 200;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String SERVERS = RestClient.collection("default", "mcpservers");

    @TempDir private static Path folder;

    private static RunningOrlojd orlojd;
    private static RunningOrlojd follower;
    private static ScriptedServers servers;

    @BeforeAll
    static void start() throws IOException {
        servers = ScriptedServers.in(folder);
        orlojd = RunningOrlojd.start();
        follower = RunningOrlojd.start(orlojd.database(), Map.of());
    }

    @AfterAll
    static void stop() {
        follower.close();
        orlojd.close();
    }

    private static void create(RunningOrlojd at, String manifest) {
        at.client().create("default", "mcpservers", manifest);
    }

    private static JsonNode sessions(RunningOrlojd at, String server) {
        return at.client()
                .get(SERVERS + "/" + server + "/sessions")
                .expect(200)
                .body()
                .path("items");
    }

    private static List<String> sessionIds(RunningOrlojd at, String server) {
        return sessions(at, server)
                .valueStream()
                .map(session -> session.path("id").asString())
                .toList();
    }

    @Test
    void manyFirstCallsToAColdServerStartOneProcess() throws Exception {
        create(orlojd, servers.manifest("cold", "healthy", "idle_timeout: 1s", "timeout: 5m"));
        orlojd.awaitReady("default", "cold");
        await().atMost(TIMEOUT).until(() -> sessionIds(orlojd, "cold").isEmpty());

        List<Future<Integer>> calls = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(CROWD);
        Path end = folder.resolve("end");
        String arguments =
                "{\"began\": \"%s\", \"until\": \"%s\"}".formatted(folder.resolve("began"), end);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CROWD; i++) {
                calls.add(
                        callers.submit(
                                () -> {
                                    all.countDown();
                                    all.await();
                                    return orlojd.client()
                                            .call("default", "cold--slow", arguments)
                                            .code();
                                }));
            }
            try {
                // Until all are there none ends, so the session is not idle in between.
                await().atMost(TIMEOUT).until(() -> requestsInTheOnlySession() >= CROWD);
            } finally {
                Files.createFile(end);
            }
            for (Future<Integer> call : calls) {
                assertThat(call.get()).isEqualTo(200);
            }
        }
    }

    /**
     * How many requests wait in the session of the server {@code cold}, if it has one only: the
     * calls, and now and then a listing of its tools behind them.
     */
    private static int requestsInTheOnlySession() {
        JsonNode sessions = sessions(orlojd, "cold");
        return sessions.size() == 1 ? sessions.at("/0/inFlight").asInt() : 0;
    }

    /** Every tenth edit changes a variable, which means another process. */
    @Test
    void editsOfAServerUnderLoadFailNoCall() throws Exception {
        create(orlojd, servers.manifest("edited", "healthy"));
        orlojd.awaitReady("default", "edited");
        AtomicBoolean editing = new AtomicBoolean(true);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<String>>> failures = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                failures.add(callers.submit(() -> failuresWhile(editing)));
            }
            for (int edit = 1; edit <= EDITS; edit++) {
                orlojd.client().patch(SERVERS + "/edited", change(edit)).expect(200);
            }
            editing.set(false);
            for (Future<List<String>> failed : failures) {
                assertThat(failed.get()).isEmpty();
            }
        }

        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(sessionIds(orlojd, "edited")).hasSize(1));
        String number = sessionIds(orlojd, "edited").getFirst().replaceAll(".*#", "");
        assertThat(Integer.parseInt(number)).as("sessions").isBetween(2, EDITS / 10 + 1);
    }

    private static List<String> failuresWhile(AtomicBoolean going) {
        List<String> failures = new ArrayList<>();
        while (going.get()) {
            RestClient.Answer answer = orlojd.client().call("default", "edited--echo", "{}");
            if (answer.code() != 200) {
                failures.add(answer.code() + " " + answer.text());
            }
        }
        return failures;
    }

    private static String change(int edit) {
        return edit % 10 == 0
                ? "{\"spec\":{\"env\":[{\"name\":\"EDIT\",\"value\":\"%d\"}]}}".formatted(edit)
                : "{\"spec\":{\"timeout\":\"%ds\",\"max_queued_calls\":%d}}"
                        .formatted(30 + edit % 7, 50 + edit % 3);
    }

    @Test
    void restartReplacesTheSessionsOfEveryReplica() {
        create(orlojd, servers.manifest("restarted", "healthy"));
        orlojd.awaitReady("default", "restarted");
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                follower.client().call("default", "restarted--echo", "{}").code()
                                        == 200);
        assertThat(sessionIds(follower, "restarted")).containsExactly("default/restarted#1");

        String restart =
                follower.client()
                        .post(SERVERS + "/restarted/restart", "")
                        .expect(200)
                        .body()
                        .at("/metadata/annotations/orloj.dev~1restartedAt")
                        .asString();

        for (RunningOrlojd replica : List.of(orlojd, follower)) {
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () ->
                                    assertThat(sessionIds(replica, "restarted"))
                                            .containsExactly("default/restarted#2"));
        }
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () ->
                                assertThat(
                                                orlojd.server("default", "restarted")
                                                        .at("/status/observedRestart")
                                                        .asString())
                                        .isEqualTo(restart));
    }

    @Test
    void serverThatFindsNoRoomIsRefusedAndReported() {
        try (RunningOrlojd small =
                RunningOrlojd.start(
                        TestPostgres.freshDatabase(),
                        Map.of("orloj.processes.max", 3, "orloj.processes.max-memory", "1"))) {
            create(small, servers.manifest("first", "healthy"));
            small.awaitReady("default", "first");

            create(small, servers.manifest("second", "healthy"));

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    small.awaitCondition(
                                                                    "default",
                                                                    "second",
                                                                    "Connected",
                                                                    "False")
                                                            .path("message")
                                                            .asString())
                                            .contains(
                                                    "--max-process-memory is 0 MiB",
                                                    "none of them is idle"));
            small.client().call("default", "first--echo", "{}").expect(200);
        }
    }
}
