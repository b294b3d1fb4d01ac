package dev.orloj.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

@Timeout(30)
@DisplayName("20.7: completion for four shells, with names from the server")
class CompletionTest extends CommandTest {

    @BeforeEach
    void putServers() {
        orlojd.resources().put(server("github"));
        orlojd.resources().put(server("gitlab"));
        orlojd.resources().put(tool("github", "search", "{}"));
    }

    private List<String> complete(String line) {
        List<String> words = new ArrayList<>(List.of("__complete", "--"));
        words.addAll(List.of(line.split(" ")));
        CommandLineRun run = ctl(words.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).isEmpty();
        return run.out().lines().toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "=ge | get",
                "=roll | rollout",
                "rollout =st | status",
                "config =use | use-context",
                "get =mcp | mcpserverpolicies mcpservers",
                "get mcp =git | github gitlab",
                "get mcp github =gitl | gitlab",
                "describe =mcp/gith | mcp/github",
                "wait --for =cond | condition=Ready",
                "get mcp -o =y | yaml",
                "get mcp -n =def | default",
                "get mcp --show-l | ",
                "get mcp =--show-l | --show-labels",
                "get mcp =--contex | --context",
                "-n default logs =gith | github",
                "-n other logs =gith | ",
                "auth =log | login logout",
                "auth login =git | github gitlab",
                "auth status =gith | github",
                "call =git | github--search",
                "explain =sand | sandboxes",
                "schema =sand | sandboxes",
                "completion =z | zsh",
                "get toolz =x | ",
                "apply -f = | ",
            })
    void lineIsCompleted(String line, String expected) {
        assertThat(String.join(" ", complete(line))).isEqualTo(expected == null ? "" : expected);
    }

    @Test
    void hiddenCommandsAreNotOffered() {
        assertThat(complete("=")).contains("get", "apply").doesNotContain("train", "__complete");
    }

    @Test
    void serverThatIsDownCompletesNothing() {
        CommandLineRun run =
                CommandLineRun.of(
                        clock,
                        Map.of("ORLOJCTL_SERVER", "http://127.0.0.1:9"),
                        "",
                        "__complete",
                        "--",
                        "get",
                        "mcp",
                        "=");

        assertThat(run).isEqualTo(new CommandLineRun(0, "", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish", "powershell"})
    void everyShellHasAScript(String shell) {
        assertThat(ctl("completion", shell).out()).contains("orlojctl __complete -- ");
    }

    @Test
    void scriptOfBashPassesTheWords() throws Exception {
        String script =
                ctl("completion", "bash").out()
                        + "orlojctl() { printf '%s\\n' \"$@\"; }\n"
                        + "COMP_WORDS=(orlojctl get 'a b' ''); COMP_CWORD=3; _orlojctl\n"
                        + "printf '<%s>' \"${COMPREPLY[@]}\"\n";
        Process bash = new ProcessBuilder("bash", "-c", script).start();

        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("<__complete><--><get><a b><=>");
        assertThat(bash.waitFor()).isZero();
    }
}
