package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;

import org.junit.jupiter.api.AfterEach;

/** A server called git, whose program does what {@link #script} says. */
abstract class GitServerScenario {

    static final ResourceKey KEY = new ResourceKey("default", "git");
    static final String STDIO =
            "\"transport\": \"stdio\", \"command\": \"git-mcp\", \"reconnect\": {\"max_attempts\":"
                    + " 1}";

    final ReconcilerHarness harness = new ReconcilerHarness();
    final ScriptedServers.Script script = harness.servers.script("git-mcp");

    @AfterEach
    void close() throws InterruptedException {
        harness.close();
    }

    void applyAndSettle(String spec) throws InterruptedException {
        harness.apply(Manifests.server("default", "git", spec));
        harness.reconcileUntilSteady(KEY);
    }

    void change(String spec) {
        harness.store.update(McpServer.KIND, Manifests.respecified(harness.server(KEY), spec));
    }

    Condition condition(String type) {
        return Conditions.find(harness.server(KEY).status().conditions(), type).orElseThrow();
    }

    void assertCondition(String type, Condition.Status status, String reason) {
        assertThat(condition(type))
                .as(type)
                .satisfies(
                        c -> {
                            assertThat(c.status()).isEqualTo(status);
                            assertThat(c.reason()).isEqualTo(reason);
                        });
    }
}
