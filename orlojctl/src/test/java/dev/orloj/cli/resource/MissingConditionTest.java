package dev.orloj.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
@DisplayName("20.3: wait for a condition that a resource does not have says which it has")
class MissingConditionTest extends CommandTest {

    private void assertTimeout(String target, String condition, String why) {
        CommandLineRun run = ctl("wait", target, "--for", "condition=" + condition, "--timeout=0");

        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err())
                .startsWith("orlojctl: timed out waiting for condition=" + condition + " of ")
                .endsWith(why + "\n");
    }

    @Test
    void misspelledConditionIsCorrected() {
        orlojd.resources().put(server("github"));

        assertTimeout(
                "mcp/github",
                "Raedy",
                ": it has no condition \"Raedy\", only Accepted, Ready; did you mean --for"
                        + " condition=Ready?");
    }

    @Test
    void conditionOfAnotherKindIsAnsweredWithThoseOfTheResource() {
        orlojd.resources().put(server("github"));

        assertTimeout(
                "mcp/github",
                "PodScheduled",
                ": it has no condition \"PodScheduled\", only Accepted, Ready; wait for one of"
                        + " these");
    }

    @Test
    void toolOfAServerPointsToTheServer() {
        orlojd.resources()
                .put(
                        tool("github", "echo", "{}")
                                .replace(
                                        "\"labels\"",
                                        """
                                        "ownerReferences": [{"apiVersion": "orloj.dev/v1",
                                         "kind": "McpServer", "name": "github", "uid": "u",
                                         "controller": true}], "labels"\
                                        """));

        assertTimeout(
                "tool/github--echo",
                "Ready",
                ": it has no condition \"Ready\", and no other condition; wait for the resource"
                        + " that it belongs to: mcpserver/github");
    }

    @Test
    void resourceThatItsControllerHasNotSeenHasNoConditionsYet() {
        orlojd.resources()
                .put(
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                         "metadata": {"name": "new", "namespace": "default"},
                         "spec": {"transport": "stdio", "command": "npx"},
                         "status": {"phase": "Pending"}}
                        """);

        assertTimeout("mcp/new", "Ready", "mcpserver.orloj.dev/new: it has no conditions yet");
    }

    @Test
    void fieldIsTheRemedyForWhatHasNoStatus() {
        orlojd.resources().put(tool("github", "echo", "{}"));

        assertTimeout(
                "tool/github--echo",
                "Ready",
                "; wait for one of its fields: --for '{.FIELD}'=VALUE");
    }
}
