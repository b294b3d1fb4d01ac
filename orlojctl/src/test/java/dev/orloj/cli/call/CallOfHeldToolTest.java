package dev.orloj.cli.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Issue 21, item 2: the call of a tool that a policy holds")
class CallOfHeldToolTest extends CommandTest {

    @BeforeEach
    void putServer() {
        orlojd.resources()
                .put(
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                         "metadata": {"name": "git", "namespace": "default"},
                         "spec": {"transport": "http", "endpoint": "https://mcp.example.com"},
                         "status": {"phase": "Ready", "observedGeneration": 1, "conditions": [
                           {"type": "ToolsApproved", "status": "False", "reason": "Quarantined",
                            "message": "m", "lastTransitionTime": "2025-12-31T22:00:00Z",
                            "observedGeneration": 1}]}}
                        """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"git--force-push", "git__force_push"})
    void itIsCalledHeldAndNotUnknown(String called) {
        orlojd.ledger("git").hold("force_push", "{\"name\": \"force_push\"}");

        CommandLineRun run = ctl("call", called);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("orlojctl: tool \"%s\" is held (".formatted(called))
                .contains("by the policy of McpServer \"git\"")
                .contains("\"orlojctl tools pending mcp/git -n default\"");
    }

    @Test
    void anyToolOfAServerIsHeldWithWhatRuns() {
        orlojd.ledger("git").hold("server/runs", "{\"command\": \"git-mcp\"}");

        assertThat(ctl("call", "git--log").err())
                .startsWith("orlojctl: tool \"git--log\" is held (what runs: ")
                .contains("\"orlojctl tools pending mcp/git -n default\"");
    }

    @Test
    void anotherToolIsUnknown() {
        orlojd.ledger("git").hold("force_push", "{\"name\": \"force_push\"}");

        assertThat(ctl("call", "git--log").err()).contains("no tool \"git--log\" in namespace");
    }

    @Test
    void itIsUnknownToUsersWhoMayNotReadWhatIsHeld() {
        orlojd.ledger("git").hold("force_push", "{\"name\": \"force_push\"}").deny();

        assertThat(ctl("call", "git--force-push").err()).contains("no tool \"git--force-push\"");
    }
}
