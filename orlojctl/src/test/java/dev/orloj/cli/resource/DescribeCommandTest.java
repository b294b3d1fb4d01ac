package dev.orloj.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Duration;

class DescribeCommandTest extends CommandTest {

    @Test
    void serverIsShownWithItsToolsAndEvents() throws IOException {
        ObjectNode stored = orlojd.resources().put(server("everything"));
        String uid = stored.at("/metadata/uid").asString();
        orlojd.resources().put(tool("everything", "echo", "{}"));
        orlojd.resources().put(tool("other", "echo", "{}"));
        orlojd.resources()
                .put(event("e2", "everything", uid, "2026-01-01T00:00:30Z", "Opened a session"));
        orlojd.resources()
                .put(event("e1", "everything", uid, "2025-12-31T23:59:00Z", "Found 2 tools"));
        orlojd.resources().put(event("e3", "old", "1", "2025-12-31T23:59:00Z", "Somebody else"));
        clock.advance(Duration.ofMinutes(2));

        assertGolden("describe-server.txt", ctl("describe", "mcp", "everything").out());
    }

    @Test
    void failingServerIsShownWithItsLastWords() throws IOException {
        orlojd.resources().put(failing("remote"));
        orlojd.putLog("remote", "starting\ncannot open the door\n");

        assertGolden("describe-failing.txt", ctl("describe", "mcp/remote").out());
    }

    @Test
    void toolIsShownWithItsSchema() throws IOException {
        orlojd.resources()
                .put(
                        tool(
                                "everything",
                                "add",
                                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\":"
                                        + " \"number\"}}, \"required\": [\"a\"]}"));

        assertGolden("describe-tool.txt", ctl("describe", "tool", "everything--add").out());
    }

    @Test
    void missingResourceIsReported() {
        assertThat(ctl("describe", "mcp", "nope").err())
                .isEqualTo("orlojctl: mcpservers.orloj.dev \"nope\" not found\n");
    }

    @Test
    void logsAreShownAsTheyCame() {
        orlojd.resources().put(server("everything"));
        orlojd.putLog("everything", "one\ntwo\nthree\n");

        assertThat(ctl("logs", "everything").out()).isEqualTo("one\ntwo\nthree\n");
        assertThat(ctl("logs", "mcp/everything", "--tail", "1", "-p", "--timestamps").out())
                .isEqualTo("three\n");
        assertThat(orlojd.requests())
                .last()
                .asString()
                .endsWith("/everything/log?tailLines=1&previous=true&timestamps=true");
        assertThat(ctl("logs", "everything", "--since", "1m30s").exitCode()).isZero();
        assertThat(orlojd.requests()).last().asString().endsWith("/log?sinceSeconds=90");
        assertThat(ctl("logs", "everything", "--since", "0s").exitCode()).isEqualTo(2);
        assertThat(ctl("logs", "tool/x").exitCode()).isEqualTo(2);
        assertThat(ctl("logs", "nope").exitCode()).isEqualTo(1);
    }

    @Test
    void emptyLogIsSaidToBeEmpty() {
        orlojd.resources().put(server("everything"));
        orlojd.putLog("everything", "");

        CommandLineRun run = ctl("logs", "everything");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo("No output of mcpserver \"everything\" in this log.\n");
    }

    @Test
    void eventsAreShownInTheOrderInWhichTheyHappened() throws IOException {
        orlojd.resources().put(event("z", "a", "1", "2025-12-31T23:00:00Z", "First"));
        orlojd.resources().put(event("a", "b", "2", "2025-12-31T23:59:00Z", "Second"));

        assertGolden("events.txt", ctl("events").out());
        assertThat(ctl("events", "mcp/a").out()).hasLineCount(2).contains("First");
    }

    @Test
    void resourceWithoutEventsThatDoesNotExistIsNamed() {
        orlojd.resources().put(server("everything"));

        assertThat(ctl("events", "mcp/everything").err()).isEqualTo("No events found.\n");
        assertThat(ctl("events", "mcp/everythin").err())
                .isEqualTo(
                        "No events found.\norlojctl: mcpservers.orloj.dev \"everythin\" not found;"
                                + " did you mean \"everything\"?\n");
    }
}
