package dev.orloj.benchmarks.many;

import dev.orloj.benchmarks.suite.MeasuredProcess;
import dev.orloj.benchmarks.suite.OrlojdProcess;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The command line as a process of its own, with the flags of its launcher and no cache. */
final class Orlojctl {

    private static final String MAIN = "dev.orloj.cli.Main";
    private static final List<String> FLAGS =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

    private Orlojctl() {}

    /**
     * Applies manifests from a file. Returns when the process has ended.
     *
     * @param manifests YAML documents, each with a separator before it
     * @throws IllegalStateException with its output when it fails
     */
    static void apply(OrlojdProcess orlojd, Path folder, String manifests)
            throws IOException, InterruptedException {
        Path file = folder.resolve("manifests.yaml");
        Files.writeString(file, manifests);
        Path output = folder.resolve("orlojctl.out");
        List<String> arguments =
                List.of("--server", orlojd.url().toString(), "apply", "-f", file.toString());
        Process process =
                new ProcessBuilder(MeasuredProcess.command(FLAGS, MAIN, arguments))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        int code = process.waitFor();
        if (code != 0) {
            throw new IllegalStateException(
                    "orlojctl apply ended with exit code %d:%n%s"
                            .formatted(code, Files.readString(output, StandardCharsets.UTF_8)));
        }
    }
}
