package dev.orloj.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The streams of the process, as a shell can leave them: closed, full, or without a reader. */
@DisplayName("20, bar 3: closed streams end in one clear line and the right exit code")
class ProcessStreamsTest extends CommandTest {

    private static final int TIMEOUT_SECONDS = 60;

    private record Ended(int exitCode, String printed) {}

    /** Runs a line of the shell, in which {@code "$@"} is orlojctl. */
    private Ended shell(String line) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(
                                "bash",
                                "-c",
                                line,
                                "sh",
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName())
                        .redirectErrorStream(true);
        builder.environment().put("ORLOJCTL_SERVER", orlojd.url());
        Process process = builder.start();
        process.getOutputStream().close();
        CompletableFuture<Void> timeout =
                CompletableFuture.runAsync(
                        () -> end(process),
                        CompletableFuture.delayedExecutor(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        try (InputStream out = process.getInputStream()) {
            String printed = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.waitFor(), printed);
        } finally {
            timeout.cancel(false);
        }
    }

    /** A read of its output is not interruptible: it ends with the processes. */
    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Test
    void closedInputIsNoManifest() throws Exception {
        Ended ended = shell("\"$@\" apply -f - <&-");

        assertThat(ended.exitCode()).as(ended.printed()).isEqualTo(1);
        assertThat(ended.printed().lines())
                .singleElement()
                .asString()
                .startsWith("orlojctl: ")
                .doesNotContain("unexpected", "Exception");
    }

    @Test
    void fullDiskIsNamed() throws Exception {
        Ended ended = shell("\"$@\" version >/dev/full");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.printed().lines())
                .singleElement()
                .asString()
                .startsWith("orlojctl: the output is not complete");
    }

    @Test
    void readerThatLeavesIsNoFailure() throws Exception {
        Ended ended = shell("{ \"$@\" --help; echo \"code $?\" >&2; } | :");

        assertThat(ended.printed()).isEqualTo("code 0\n");
    }

    @Test
    void interruptedWatchEndsQuietly(@TempDir Path folder) throws Exception {
        orlojd.resources().put(server("github"));
        String printed = folder.resolve("printed").toString();

        // With job control, and with the default action for Ctrl-C: the shell has programs in the
        // background ignore it, and so do all programs of a shell that ignores it itself.
        Ended ended =
                shell(
                        """
                        set -m
                        env --default-signal=INT "$@" get mcp -w >'%s' &
                        pid=$!
                        for i in $(seq 600); do
                          if grep -q github '%s'; then break; fi
                          sleep 0.05
                        done
                        kill -INT $pid
                        wait $pid
                        echo "code $?"
                        """
                                .formatted(printed, printed));

        // Before it, the shell may say that its job has ended.
        assertThat(ended.printed()).endsWith("code 130\n").doesNotContain("orlojctl:", "Exception");
    }
}
