package dev.orloj.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

class RestartCommandTest extends CommandTest {

    private static final ResourceKey KEY = new ResourceKey("default", "everything");

    private McpServer stored() {
        return orlojd.resources().store().get(McpServer.KIND, KEY);
    }

    @Test
    void restartIsPosted() {
        orlojd.resources().put(server("everything"));

        CommandLineRun run = ctl("restart", "mcp-server", "everything");

        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev/everything restarted\n");
        assertThat(run.exitCode()).isZero();
        assertThat(stored().restartedAt()).isNotEmpty();
    }

    @Test
    void waitEndsWhenTheRestartHasBeenObserved() throws Exception {
        orlojd.resources().put(server("everything"));

        CompletableFuture<CommandLineRun> run =
                CompletableFuture.supplyAsync(() -> ctl("restart", "mcp/everything", "--wait"));
        await().until(() -> orlojd.requests().stream().anyMatch(r -> r.contains("watch=true")));
        assertThat(run).isNotDone();
        McpServer asked = stored();
        orlojd.resources()
                .store()
                .updateStatus(
                        McpServer.KIND,
                        asked.withStatus(
                                McpServerStatus.EMPTY.toBuilder()
                                        .observedRestart(asked.restartedAt())
                                        .build()));

        assertThat(run.get().out()).contains("restarted");
        assertThat(run.get().exitCode()).isZero();
    }

    @Test
    void waitThatIsInVainSaysWhy() {
        orlojd.resources().put(server("everything"));
        List<Condition> conditions =
                Conditions.merge(
                        List.of(),
                        List.of(Condition.isFalse("Connected", "ConnectFailed", "no such option")),
                        1,
                        Instant.EPOCH);
        orlojd.resources()
                .store()
                .updateStatus(
                        McpServer.KIND,
                        stored().withStatus(
                                        McpServerStatus.EMPTY.toBuilder()
                                                .phase(McpServerStatus.Phase.READY, 1)
                                                .conditions(conditions)
                                                .build()));

        CommandLineRun run = ctl("restart", "mcp/everything", "--wait", "--timeout", "0");

        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err())
                .contains("timed out waiting for the restart", "ConnectFailed", "no such option");
    }

    @Test
    void onlyServersCanBeRestarted() {
        CommandLineRun run = ctl("restart", "mcp/everything", "tool/x");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("only an McpServer can be restarted, not a tool");
        assertThat(run.out()).isEmpty();
    }
}
