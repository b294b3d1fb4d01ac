package dev.orloj.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.NeedsShell;
import dev.orloj.cli.testing.PseudoTerminal;
import dev.orloj.cli.testing.PseudoTerminal.Typed;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Interactive shells in which the Tab key is pressed. PowerShell is not among them: Debian has no
 * package of it.
 */
@Timeout(240)
@DisplayName("20.7: the Tab key completes names of the server in real shells")
class CompletionShellsTest extends CommandTest {

    private static final int COLUMNS = 200;

    /** The commands run only if the shell has completed their words. */
    private static final List<Typed> KEYS =
            List.of(
                    new Typed("READY> ", "orlojctl get mcp gith\t-o name\r"),
                    new Typed("mcpserver.orloj.dev/github", ""),
                    new Typed("READY> ", "orlojctl api-res\t-o name\r"),
                    new Typed("mcpservers.orloj.dev", ""),
                    new Typed("READY> ", "orlojctl validate -f a-fi\t\r"),
                    new Typed("mcpserver.orloj.dev/everything valid", ""),
                    new Typed("READY> ", "exit\r"));

    @TempDir private Path folder;

    @BeforeEach
    void install() throws IOException {
        orlojd.resources().put(server("github"));
        orlojd.resources().put(server("jira"));
        Path orlojctl = folder.resolve("bin/orlojctl");
        Files.createDirectories(orlojctl.getParent());
        Files.writeString(
                orlojctl,
                "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\"\n"
                        .formatted(
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        assertThat(orlojctl.toFile().setExecutable(true)).isTrue();
        Files.writeString(
                folder.resolve("a-file.yaml"),
                """
                apiVersion: orloj.dev/v1
                kind: McpServer
                metadata: {name: everything}
                spec: {transport: stdio, command: npx}
                """);
    }

    private void completes(String script, String configuration, String... command)
            throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Files.writeString(home.resolve("completion"), ctl("completion", script).out());
        Files.writeString(home.resolve(".zshrc"), configuration);
        Map<String, String> environment =
                Map.of(
                        "ORLOJCTL_SERVER", orlojd.url(),
                        "PATH", folder.resolve("bin") + ":" + System.getenv("PATH"),
                        "HOME", home.toString(),
                        "ZDOTDIR", home.toString(),
                        "XDG_CONFIG_HOME", home.toString(),
                        "XDG_DATA_HOME", home.toString(),
                        "TERM", "xterm");

        PseudoTerminal.Ended ended =
                PseudoTerminal.run(COLUMNS, environment, KEYS, inFolder(command));

        assertThat(ended.exitCode()).as(ended.printed()).isZero();
        assertThat(ended.printed())
                .contains("mcpserver.orloj.dev/github", "mcpservers.orloj.dev", " valid")
                .doesNotContain("not found", "mcpserver.orloj.dev/jira", "orlojctl: ");
    }

    private List<String> inFolder(String... command) {
        List<String> all =
                new ArrayList<>(List.of("sh", "-c", "cd \"$0\" && exec \"$@\"", folder.toString()));
        all.addAll(List.of(command));
        return all;
    }

    @Test
    void bash() throws Exception {
        completes(
                "bash",
                "PS1='READY> '; source ~/completion\n",
                "bash",
                "--noprofile",
                "--rcfile",
                folder.resolve("home/.zshrc").toString(),
                "-i");
    }

    @Test
    @NeedsShell("zsh")
    void zsh() throws Exception {
        completes("zsh", "PS1='READY> '; source ~/completion\n", "zsh", "-i");
    }

    @Test
    @NeedsShell("fish")
    void fish() throws Exception {
        completes(
                "fish",
                "",
                "fish",
                "-i",
                "-C",
                "function fish_prompt; echo -n 'READY> '; end; source ~/completion");
    }
}
