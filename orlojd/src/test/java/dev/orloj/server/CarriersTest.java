package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.testing.OrlojdProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

class CarriersTest {

    private static final String SETTINGS = "VM.system_properties";

    @Test
    void thereAreMoreCarriersThanTheProcessorsOfASmallMachine(@TempDir Path folder)
            throws Exception {
        try (OrlojdProcess orlojd = OrlojdProcess.start(folder)) {
            assertThat(properties(orlojd))
                    .containsPattern("jdk.virtualThreadScheduler.parallelism=([89]|[1-9][0-9]+)\n");
        }
    }

    @Test
    void ownNumberOfCarriersIsKept(@TempDir Path folder) throws Exception {
        try (OrlojdProcess orlojd =
                OrlojdProcess.startWith(
                        List.of("-Djdk.virtualThreadScheduler.parallelism=3"), folder)) {
            assertThat(properties(orlojd)).contains("jdk.virtualThreadScheduler.parallelism=3\n");
        }
    }

    private static String properties(OrlojdProcess orlojd) throws Exception {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process =
                new ProcessBuilder(jcmd.toString(), String.valueOf(orlojd.pid()), SETTINGS).start();
        try (var out = process.inputReader()) {
            return String.join("\n", out.lines().toList()) + "\n";
        }
    }
}
