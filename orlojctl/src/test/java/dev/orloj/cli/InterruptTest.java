package dev.orloj.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.PseudoTerminal;
import dev.orloj.cli.testing.SmallBackup;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Ctrl-C while a real process of orlojctl waits. */
@Timeout(300)
@DisplayName("20, bar 3: Ctrl-C ends every command that waits with 130 and whole lines")
class InterruptTest extends CommandTest {

    private static final String INITIALIZE =
            """
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}
            """;

    @TempDir private Path folder;

    /**
     * A command that waits.
     *
     * @param option what makes it wait; empty if it waits anyway
     * @param until part of the request for whose answer it waits
     */
    record Waiting(String command, String option, String arguments, String until) {

        static final List<Waiting> ALL =
                List.of(
                        new Waiting("get", "--watch", "mcp --watch", "watch=true"),
                        new Waiting("events", "--watch", "--watch", "watch=true"),
                        new Waiting("top", "--watch", "--watch", "/sessions"),
                        new Waiting("mcp list", "--watch", "--watch", "watch=true"),
                        new Waiting("logs", "--follow", "github --follow", "/log"),
                        new Waiting("mcp logs", "--follow", "github --follow", "/log"),
                        new Waiting("wait", "", "mcp/github --for delete", "watch=true"),
                        new Waiting("delete", "--wait", "mcp held", "watch=true"),
                        new Waiting("restart", "--wait", "mcp/github --wait", "watch=true"),
                        new Waiting("mcp restart", "--wait", "github --wait", "watch=true"),
                        new Waiting(
                                "mcp add",
                                "--wait",
                                "box --url http://127.0.0.1:9/mcp --wait",
                                "watch=true"),
                        new Waiting("rollout status", "--watch", "mcp/remote", "watch=true"),
                        new Waiting("call", "", "github--echo", "/call"),
                        new Waiting("call", "--wait", "github--echo --result a --wait", "/calls"),
                        new Waiting("replay", "", "FOLDER", "/call"),
                        new Waiting("check", "", "github", "/mcpserverreviews"),
                        new Waiting("admin backup", "", "FOLDER", "/backups"),
                        new Waiting("admin restore", "", SmallBackup.file(), "/restores"),
                        new Waiting("admin rotate-keys", "", "", "/encryptionkeys"),
                        new Waiting("auth login", "", "github --no-browser", "/authorization"),
                        new Waiting("mcp", "", "", "/mcp"),
                        new Waiting("mcp serve", "", "", "/mcp"));

        @Override
        public String toString() {
            return (command + " " + option).strip();
        }
    }

    static List<Waiting> all() {
        return Waiting.ALL;
    }

    @BeforeEach
    void fill() {
        orlojd.resources().put(server("github"));
        orlojd.resources()
                .put(server("held").replace("\"labels\"", "\"finalizers\": [\"a/b\"], \"labels\""));
        orlojd.resources().put(failing("remote"));
        orlojd.resources().put(tool("github", "echo", "{}"));
    }

    @Test
    void everyCommandThatWaitsIsHere() {
        for (Usage usage : Usage.ALL) {
            List<Waiting> cases =
                    Waiting.ALL.stream().filter(w -> w.command().equals(usage.command())).toList();
            for (String option : usage.waitingOptions()) {
                assertThat(cases)
                        .as(usage.command() + " " + option)
                        .anyMatch(w -> option.equals("--timeout") || w.option().equals(option));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void interruptedCommandLeavesWholeLines(Waiting waiting) throws Exception {
        if (waiting.command().equals("replay")) {
            orlojd.putTool("github--echo", _ -> "{\"content\": []}");
            ctl("call", "github--echo", "--save", folder.resolve("saved").toString());
        }
        int before = orlojd.requests().size();
        orlojd.leaveUnanswered(request -> request.contains(waiting.until()));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = start(waiting, out, err);
        try {
            await().atMost(Duration.ofSeconds(120))
                    .until(() -> !process.isAlive() || isAsked(before, waiting.until()));
            interrupt(process);

            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(err)).isEqualTo(130);
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(isAsked(before, waiting.until())).isTrue();
        assertThat(Files.readString(out)).matches("(?s)|.*\n");
        assertThat(Files.readString(err))
                .matches("(?s)|.*\n")
                .doesNotContain("Exception", "\tat ", "orlojctl: ");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(Path::toString)).noneMatch(file -> file.endsWith(".partial"));
        }
    }

    /** Beside the case above, which waits for orlojd. */
    @Test
    void loginThatWaitsForTheBrowserEnds() throws Exception {
        orlojd.logins().need("default", "remote");
        Waiting login = new Waiting("auth login", "", "remote --no-browser", "/authorization");
        Path err = folder.resolve("err");
        Process process = start(login, folder.resolve("out"), err);
        try {
            await().atMost(Duration.ofSeconds(120))
                    .until(
                            () ->
                                    !process.isAlive()
                                            || Files.readString(err).endsWith("callback\n"));
            interrupt(process);

            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(err)).isEqualTo(130);
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(Files.readString(err))
                .startsWith("Open this URL in a browser to log in: https://login.example.com/")
                .hasLineCount(1);
    }

    private boolean isAsked(int before, String part) {
        return orlojd.requests().stream().skip(before).anyMatch(r -> r.contains(part));
    }

    private Process start(Waiting waiting, Path out, Path err) throws IOException {
        String line = waiting.arguments().replace("FOLDER", folder.resolve("saved").toString());
        ProcessBuilder builder =
                new ProcessBuilder(
                                command(
                                        Stream.of(waiting.command().split(" "), line.split(" "))
                                                .flatMap(Stream::of)
                                                .filter(word -> !word.isEmpty())
                                                .toList()))
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().put("ORLOJCTL_SERVER", orlojd.url());
        Process process = builder.start();
        // The input stays open: an agent that is there.
        if (waiting.until().equals("/mcp")) {
            process.getOutputStream().write(INITIALIZE.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        }
        return process;
    }

    /** With the default action for Ctrl-C, which programs in the background of a shell ignore. */
    private static List<String> command(List<String> line) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "env",
                                "--default-signal=INT",
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        command.addAll(line);
        return command;
    }

    private static void interrupt(Process process) throws Exception {
        new ProcessBuilder("bash", "-c", "kill -INT " + process.pid()).start().waitFor();
    }

    @Test
    void terminalKeepsNoHalfLineOfTheProgress() throws Exception {
        PseudoTerminal.Ended ended =
                PseudoTerminal.run(
                        80,
                        Map.of("ORLOJCTL_SERVER", orlojd.url(), "TERM", "xterm"),
                        List.of(new PseudoTerminal.Typed("Waiting for", "\u0003")),
                        command(
                                List.of(
                                        "wait",
                                        "mcp/remote",
                                        "--for=condition=Ready",
                                        "--timeout=1h")));

        assertThat(ended.exitCode()).as(ended.printed()).isEqualTo(130);
        assertThat(ended.printed()).endsWith("\r\u001b[K").doesNotContain("Exception");
    }
}
