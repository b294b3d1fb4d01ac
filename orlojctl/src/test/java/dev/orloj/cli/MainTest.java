package dev.orloj.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process of its own, with a standard output that takes nothing. */
@Timeout(60)
class MainTest {

    private static ProcessBuilder help() {
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--help");
    }

    private static String errors(Process process) throws IOException {
        return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void outputToAFullDiskIsAFailure() throws Exception {
        Process process = help().redirectOutput(new File("/dev/full")).start();

        assertThat(errors(process)).contains("the output is not complete");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    /** Issue 20, bar 3: {@code orlojctl get tools >&-}. */
    @Test
    void closedOutputIsAFailure() throws Exception {
        ProcessBuilder help = help();
        List<String> shell = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\" >&-", "sh"));
        shell.addAll(help.command());
        Process process = help.command(shell).start();

        assertThat(errors(process)).contains("check that stdout is open");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    @Test
    void readerMayLeaveEarly() throws Exception {
        Process process = help().start();
        process.getInputStream().close();

        assertThat(errors(process)).isEmpty();
        assertThat(process.waitFor()).isZero();
    }
}
