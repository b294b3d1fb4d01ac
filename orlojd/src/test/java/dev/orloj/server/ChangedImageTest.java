package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.PolicyProbe;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;
import dev.orloj.server.testing.ScriptedEngine;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A name of an image that comes to stand for another image, with every definition as it was, at two
 * replicas of one engine.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChangedImageTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String BEFORE = "sha256:" + "a".repeat(64);
    private static final String AFTER = "sha256:" + "b".repeat(64);

    private final ScriptedEngine engine = new ScriptedEngine();
    private RunningOrlojd first;
    private RunningOrlojd second;
    private PolicyProbe probe;

    @BeforeAll
    void start() {
        Map<String, Object> containers = Map.of("orloj.containers.host", engine.host());
        first = RunningOrlojd.start(TestPostgres.freshDatabase(), containers);
        second = RunningOrlojd.start(first.database(), containers);
        probe = new PolicyProbe(first.client());
    }

    @AfterAll
    void stop() throws IOException {
        second.close();
        first.close();
        engine.close();
    }

    @ParameterizedTest
    @CsvSource({"q-mail, on_change: quarantine", "o-mail, on_change_of: {runs: quarantine}"})
    void replacedImageIsWithheldAtEachReplicaUntilAUserApprovesIt(String server, String policy) {
        serve(server, "tool_policy: {%s}".formatted(policy));
        int calls = engine.called().size();

        replaceImage(server);

        for (RunningOrlojd replica : List.of(first, second)) {
            await().atMost(TIMEOUT).until(() -> call(replica, server).code() == 403);
        }
        assertThat(engine.called().subList(calls, engine.called().size())).doesNotContain(AFTER);
        assertThat(probe.held(server)).containsOnlyKeys("server/runs");
        for (String type : List.of("Ready", "ToolsApproved")) {
            assertThat(probe.condition(server, type).path("message").asString())
                    .contains(
                            "image sha256:aaaaaaaaaaaaaaaaa... is now sha256:bbbbbbbbbbbbbbbbb...");
        }
        assertThat(probe.condition(server, "Ready").path("reason").asString())
                .isEqualTo("Withheld");

        probe.decide(server, "server/runs", "Approved");

        awaitCalled(server, AFTER);
        assertThat(probe.held(server)).isEmpty();
        probe.assertThatLedgerIsWhole(server);
    }

    @Test
    void replacedImageIsRecordedWithoutAPolicy() {
        String server = "a-mail";
        serve(server, "");

        replaceImage(server);

        awaitCalled(server, AFTER);
        assertThat(probe.operationsOfRuns(server)).containsSequence("Enrolled", "Changed");
        probe.assertThatLedgerIsWhole(server);
    }

    private void serve(String server, String policy) {
        engine.tag("example/" + server, BEFORE);
        first.client()
                .create(
                        "default",
                        "mcpservers",
                        """
                        apiVersion: orloj.dev/v1
                        kind: McpServer
                        metadata: {name: %s}
                        spec:
                          transport: stdio
                          image: example/%1$s
                          network: {mode: none}
                          %s
                        """
                                .formatted(server, policy));
        first.awaitReady("default", server);
        awaitCalled(server, BEFORE);
    }

    private void replaceImage(String server) {
        engine.tag("example/" + server, AFTER);
        engine.endPrograms();
    }

    private static RestClient.Answer call(RunningOrlojd replica, String server) {
        return replica.client().call("default", server + "--send", "{}");
    }

    private void awaitCalled(String server, String image) {
        for (RunningOrlojd replica : List.of(first, second)) {
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () ->
                                    assertThat(call(replica, server).body().toString())
                                            .contains(image));
        }
    }
}
