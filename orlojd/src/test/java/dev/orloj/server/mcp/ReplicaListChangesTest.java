package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;
import dev.orloj.server.testing.TracingServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Two replicas, and a server that reports a change to one of them only. */
@Timeout(300)
@DisplayName("H-23")
class ReplicaListChangesTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir private Path folder;

    private TestPostgres.Database database;
    private RunningOrlojd leader;
    private RunningOrlojd other;

    @BeforeEach
    void start() {
        // No test may pass because the leader lists the tools again anyway.
        Map<String, Object> rarely = Map.of("orloj.controllers.resync-period", "1h");
        database = TestPostgres.freshDatabase();
        leader = RunningOrlojd.start(database, rarely);
        other = RunningOrlojd.start(database, rarely);
    }

    @AfterEach
    void stop() {
        other.close();
        leader.close();
        database.close();
    }

    private void create(String... spec) throws Exception {
        leader.client().create("default", "mcpservers", TracingServer.in(folder).manifest(spec));
        leader.awaitReady("default", "one");
    }

    private static void call(RunningOrlojd at, String tool) {
        RestClient client = at.client();
        await().atMost(TIMEOUT)
                .until(() -> client.call("default", "one--" + tool, "{}").code() == 200);
    }

    private static List<String> prompts(RunningOrlojd at) {
        McpProbe probe = new McpProbe(URI.create(at.client().url() + "/mcp/default"));
        return Agent.initialize(probe, "2025-11-25")
                .ask("prompts/list", "{}")
                .json()
                .at("/result/prompts")
                .valueStream()
                .map(prompt -> prompt.path("name").asString())
                .toList();
    }

    @Test
    void leaderListsToolsWhoseChangeWasReportedToAnotherReplica() throws Exception {
        create();

        call(other, "grow");

        await().atMost(TIMEOUT).until(() -> leader.tools("default").contains("new"));
    }

    @Test
    void serverThatSleepsAtTheLeaderIsListedAsWell() throws Exception {
        create("idle_timeout: 1s");
        await().atMost(TIMEOUT).until(() -> isAsleep(leader));

        call(other, "grow");

        await().atMost(TIMEOUT).until(() -> leader.tools("default").contains("new"));
        await().atMost(TIMEOUT).until(() -> isAsleep(leader));
    }

    private static boolean isAsleep(RunningOrlojd at) {
        return at.server("default", "one")
                .at("/status/conditions")
                .valueStream()
                .anyMatch(condition -> condition.path("reason").asString().equals("Idle"));
    }

    @Test
    void promptsOfASingletonAreListedAgainAtAllReplicas() throws Exception {
        create("singleton: true");
        call(other, "who");
        await().atMost(TIMEOUT).until(() -> prompts(other).equals(List.of("one__p")));

        call(other, "grow");

        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> assertThat(prompts(other)).containsExactly("one__p", "one__new"));
    }
}
