package dev.orloj.cli.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.Test;

class TraceCommandTest extends CommandTest {

    private static final String CALL =
            """
            {"kind": "Call", "metadata": {"name": "box-1.k3", "namespace": "default",
              "creationTimestamp": "2026-01-01T00:00:00.123Z"},
             "tool": "github--search", "server": "github", "caller": "anonymous",
             "outcome": "Completed", "millis": 322.349, "session": "default/github#1",
             "pid": 4711, "protocolVersion": "2025-11-25", "bytesOut": 412, "bytesIn": 1234,
             "steps": [{"phase": "check", "millis": 0.021}, {"phase": "queue", "millis": 0.002},
               {"phase": "opening", "millis": 310.214}, {"phase": "upstream", "millis": 12.102},
               {"phase": "result", "millis": 0.010}]}
            """;

    private static final String SHOWN =
            """
            call box-1.k3 of tool github--search by anonymous at 2026-01-01T00:00:00.123Z
                      AT        TOOK   STEP
                 0.000ms     0.021ms   check
                 0.021ms     0.002ms   queue
                 0.023ms   310.214ms   opening
               310.237ms    12.102ms   upstream (session default/github#1, pid 4711, MCP 2025-11-25, 412 B out, 1234 B in)
               322.339ms     0.010ms   result
               322.349ms               Completed
            """;

    @Test
    void stepsOfACallAreShownWithTheirTimes() {
        orlojd.putCall("box-1.k3", CALL);

        assertThat(ctl("trace", "box-1.k3").out()).isEqualTo(SHOWN);
        assertThat(orlojd.requests())
                .containsExactly("GET /apis/orloj.dev/v1/namespaces/default/calls/box-1.k3");
        assertThat(ctl("trace", "box-1.k3", "-o", "json").out()).contains("\"pid\" : 4711");
    }

    @Test
    void whatWasDoneAboutTheResultIsShown() {
        orlojd.putCall(
                "box-1.k3",
                CALL.replace(
                        "\"outcome\"",
                        "\"resultPolicy\": {\"action\": \"blocked\", \"findings\": [{\"kind\":"
                                + " \"escape\"}, {\"kind\": \"secret\"}]}, \"outcome\""));

        assertThat(ctl("trace", "box-1.k3").out())
                .contains("Completed (result blocked: escape, secret)");
    }

    @Test
    void theLatestCallIsLookedFor() {
        orlojd.putCall("box-1.k3", "{\"items\": [" + CALL + "]}");

        assertThat(ctl("trace", "--last", "--mcp-server", "github", "-n", "prod").out())
                .isEqualTo(SHOWN);
        assertThat(orlojd.requests())
                .containsExactly(
                        "GET /apis/orloj.dev/v1/namespaces/prod/calls?limit=1&server=github");
    }

    @Test
    void noSuchCallIsAnError() {
        CommandLineRun run = ctl("trace", "--last", "--tool", "a--b");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("no such call in namespace \"default\"");
    }

    @Test
    void eitherACallOrTheLatestIsAskedFor() {
        assertThat(ctl("trace").exitCode()).isEqualTo(2);
        assertThat(ctl("trace", "x", "--last").exitCode()).isEqualTo(2);
        assertThat(ctl("trace", "--last", "-o", "yaml").exitCode()).isEqualTo(2);
    }

    @Test
    void callReportsItsIdWhenAskedToAndWhenItFails() {
        orlojd.resources().put(tool("github", "search", "{}"));
        orlojd.resources().put(tool("github", "gone", "{}"));
        orlojd.putTool("github--search", arguments -> "{\"content\": []}");
        orlojd.putCall("box-1.k3", CALL);

        assertThat(ctl("call", "github--search").err()).isEmpty();
        assertThat(ctl("call", "github--search", "-v").err())
                .isEqualTo(
                        "Call box-1.k3: \"orlojctl trace box-1.k3\" shows where its time went.\n");
        CommandLineRun failed = ctl("call", "github--gone");
        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.err()).contains("Call box-1.k3", "not found");
    }
}
