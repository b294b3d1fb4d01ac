package dev.orloj.cli.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

@Timeout(30)
@DisplayName("20.3: label, annotate, patch, scale, suspend, resume, rollout, edit and diff")
class ChangeCommandsTest extends CommandTest {

    @TempDir private Path folder;

    @BeforeEach
    void putServers() {
        orlojd.resources().put(server("github"));
        orlojd.resources().put(failing("jira"));
    }

    private McpServer stored(String name) {
        return orlojd.resources().store().get(McpServer.KIND, new ResourceKey("default", name));
    }

    @Test
    void labelsAreSetReplacedAndRemoved() {
        assertThat(ctl("label", "mcp", "github", "jira", "tier=a").out())
                .isEqualTo(
                        "mcpserver.orloj.dev/github labeled\nmcpserver.orloj.dev/jira labeled\n");
        assertThat(ctl("label", "mcp/github", "tier=a").out())
                .isEqualTo("mcpserver.orloj.dev/github not labeled\n");
        CommandLineRun refused = ctl("label", "mcp/github", "team=x");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
                .isEqualTo(
                        "orlojctl: mcpserver.orloj.dev/github: \"team\" has the value \"web\";"
                                + " replace it with --overwrite\n");
        ctl("label", "mcp", "github", "team=x", "tier-", "--overwrite");
        assertThat(stored("github").metadata().labels()).isEqualTo(Map.of("team", "x"));
        assertThat(ctl("label", "mcp", "github", "team-").out())
                .isEqualTo("mcpserver.orloj.dev/github unlabeled\n");
        assertThat(ctl("label", "mcp", "jira", "--list").out()).isEqualTo("tier=a\n");
    }

    @Test
    void annotationsAreSetOnAllThatAreSelected() {
        CommandLineRun run = ctl("annotate", "mcp", "-l", "team=web", "note=a=b");

        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev/github annotated\n");
        assertThat(stored("github").metadata().annotations()).containsEntry("note", "a=b");
        assertThat(ctl("annotate", "mcp", "note=x").err())
                .contains("annotate needs names, -l LABELS or --all");
    }

    @Test
    void patchesAreMerged() {
        assertThat(ctl("patch", "mcp", "github", "-p", "spec: {timeout: 1m}").out())
                .isEqualTo("mcpserver.orloj.dev/github patched\n");
        assertThat(ctl("patch", "mcp", "github", "-p", "{\"spec\": {\"timeout\": \"1m\"}}").out())
                .isEqualTo("mcpserver.orloj.dev/github patched (no change)\n");
        assertThat(ctlReading("{}", "patch", "mcp/github", "--patch-file", "-", "-o", "name").out())
                .isEqualTo("mcpserver.orloj.dev/github\n");
        assertThat(ctl("patch", "mcp", "github", "--type", "strategic", "-p", "{}").err())
                .contains("a mcpserver takes no strategic patch: use --type merge");
        assertThat(ctl("patch", "mcp", "github", "-p", "[").exitCode()).isEqualTo(2);
    }

    @Test
    void serversAreSuspendedAndResumed() {
        assertThat(ctl("suspend", "mcp/github", "mcp/jira").out())
                .isEqualTo(
                        "mcpserver.orloj.dev/github suspended\n"
                                + "mcpserver.orloj.dev/jira suspended\n");
        assertThat(ctl("suspend", "mcp/github").out())
                .isEqualTo("mcpserver.orloj.dev/github already suspended\n");
        ctl("scale", "mcp/github", "--replicas=0");
        assertThat(ctl("resume", "mcp/github").out())
                .isEqualTo("mcpserver.orloj.dev/github resumed\n");
        assertThat(ctl("get", "mcp", "github", "-o", "jsonpath={.spec.suspend} {.spec.replicas}"))
                .extracting(CommandLineRun::out)
                .isEqualTo("false 1");
        assertThat(ctl("suspend", "ns/default").err())
                .contains("only an McpServer or a Sandbox can be suspended, not a namespace");
    }

    @Test
    void onlyServersScale() {
        assertThat(ctl("scale", "mcp/github", "--replicas=0").out())
                .isEqualTo("mcpserver.orloj.dev/github scaled\n");
        assertThat(ctl("scale", "mcp/github", "--replicas=1", "--current-replicas=5").err())
                .contains("github has 0 replicas, not 5");
        assertThat(ctl("scale", "ns/default", "--replicas=2").err())
                .contains("a namespace has no replicas to scale");
        assertThat(ctl("scale", "mcp/github", "--replicas=x").exitCode()).isEqualTo(2);
    }

    @Test
    void rolloutsAreAwaitedAndRefusedWhereTheyHaveNoMeaning() {
        assertThat(ctl("rollout", "status", "mcp/github").out())
                .isEqualTo("mcpserver.orloj.dev \"github\" successfully rolled out\n");
        CommandLineRun late = ctl("rollout", "status", "mcp/jira", "--watch=false");
        assertThat(late.exitCode()).isEqualTo(4);
        assertThat(late.err()).contains("is not rolled out: Ready is False (ConnectFailed)");
        assertThat(ctl("rollout", "history", "mcp/github").out())
                .startsWith("mcpserver.orloj.dev/github, generation 1\nLAST CHANGE");
        assertThat(ctl("rollout", "undo", "mcp/github").err())
                .contains("no rollout undo of mcp/github: Orloj keeps no older revisions");
    }

    private CommandLineRun edit(String script, String... args) throws IOException {
        Path editor = Files.writeString(folder.resolve("editor"), "#!/bin/sh\n" + script + "\n");
        return CommandLineRun.of(
                clock,
                Map.of("ORLOJCTL_SERVER", orlojd.url(), "KUBE_EDITOR", "sh " + editor),
                "",
                args);
    }

    @Test
    void editSendsWhatWasChanged() throws IOException {
        CommandLineRun run =
                edit(
                        "sed 's/timeout: .*/timeout: 7s/' \"$1\" > \"$1.x\"; mv \"$1.x\" \"$1\"",
                        "edit",
                        "mcp",
                        "github");

        assertThat(run.out()).isEqualTo("mcpserver.orloj.dev/github edited\n");
        assertThat(ctl("get", "mcp", "github", "-o", "jsonpath={.spec.timeout}").out())
                .isEqualTo("7s");
    }

    @Test
    void editWithoutAChangeIsCancelled() throws IOException {
        CommandLineRun run = edit(":", "edit", "mcp/github");

        assertThat(run).isEqualTo(new CommandLineRun(0, "", "Edit cancelled, no changes made.\n"));
        assertThat(orlojd.requests()).noneMatch(request -> request.startsWith("PATCH"));
        assertThat(edit("exit 3", "edit", "mcp/github").err())
                .contains("failed with exit code 3; name another one with KUBE_EDITOR");
    }

    /** The editor sees the error the second time, and leaves the text as it is. */
    @Test
    void editThatIsRefusedIsShownAgainWithTheErrorAndKept() throws IOException {
        CommandLineRun run =
                edit(
                        "grep -q 'Not saved' \"$1\" || { sed 's/transport: .*/transport: x/'"
                                + " \"$1\" > \"$1.x\"; mv \"$1.x\" \"$1\"; }",
                        "edit",
                        "mcp/github");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).startsWith("orlojctl: edit cancelled; your edit is in ");
        Path kept = Path.of(run.err().strip().replaceFirst(".* in ", ""));
        assertThat(Files.readString(kept))
                .startsWith("# Not saved:\n# ")
                .contains("Unsupported value", "transport: x");
        Files.delete(kept);
    }

    @Test
    void diffShowsWhatAnApplyWouldChange() {
        String manifest =
                """
                apiVersion: orloj.dev/v1
                kind: McpServer
                metadata: {name: %s}
                spec: {transport: stdio, command: %s}
                """;
        ctlReading(manifest.formatted("wiki", "npx"), "apply", "-f", "-");

        CommandLineRun changed = ctlReading(manifest.formatted("wiki", "uvx"), "diff", "-f", "-");
        CommandLineRun created = ctlReading(manifest.formatted("new", "uvx"), "diff", "-f", "-");
        CommandLineRun same = ctlReading(manifest.formatted("wiki", "npx"), "diff", "-f", "-");
        CommandLineRun broken =
                ctlReading(manifest.formatted("wiki", "npx, comand: x"), "diff", "-f", "-");

        assertThat(changed.exitCode()).isEqualTo(1);
        assertThat(changed.out())
                .contains("LIVE/orloj.dev.v1.McpServer.default.wiki")
                .contains("-  command: npx", "+  command: uvx");
        assertThat(created.out()).contains("+  name: new");
        assertThat(same).isEqualTo(new CommandLineRun(0, "", ""));
        assertThat(broken.exitCode()).isEqualTo(2);
        assertThat(broken.err()).contains("unknown field \"spec.comand\"");
    }

    @Test
    void diffShowsNoSecrets() {
        String manifest =
                """
                apiVersion: orloj.dev/v1
                kind: Secret
                metadata: {name: key}
                spec: {data: {value: %s, other: c2FtZQ==}}
                """;
        ctlReading(manifest.formatted("b25l"), "apply", "-f", "-");

        CommandLineRun run = ctlReading(manifest.formatted("dHdv"), "diff", "-f", "-");

        assertThat(run.out())
                .contains("*** (before)", "*** (after)")
                .doesNotContain("b25l", "dHdv", "c2FtZQ");
    }
}
