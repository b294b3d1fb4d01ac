package dev.orloj.benchmarks.many;

import dev.orloj.benchmarks.suite.MeasuredProcess;
import dev.orloj.benchmarks.suite.OrlojdProcess;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The command line as a process of its own, with the flags of its launcher and no cache. */
public final class Orlojctl {

    private static final String MAIN = "dev.orloj.cli.Main";
    private static final List<String> FLAGS =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx256m");
    private static final Duration POLL = Duration.ofMillis(20);

    /**
     * What a command did.
     *
     * @param peakMemory bytes that were resident at most
     */
    public record Result(String output, long peakMemory) {}

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
        run(orlojd, folder, "apply", "-f", file.toString());
    }

    /**
     * Runs a command. Returns when the process has ended.
     *
     * @param folder for its output
     * @throws IllegalStateException with its output when it fails
     */
    public static Result run(OrlojdProcess orlojd, Path folder, String... arguments)
            throws IOException, InterruptedException {
        Path output = folder.resolve("orlojctl.out");
        List<String> all = new ArrayList<>(List.of("--server", orlojd.url().toString()));
        all.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(MeasuredProcess.command(FLAGS, MAIN, all))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        long peak = 0;
        do {
            peak = Math.max(peak, peakMemory(process));
        } while (!process.waitFor(POLL));
        String text = Files.readString(output, StandardCharsets.UTF_8);
        if (process.exitValue() != 0) {
            throw new IllegalStateException(
                    "orlojctl %s ended with exit code %d:%n%s"
                            .formatted(arguments[0], process.exitValue(), text));
        }
        return new Result(text, peak);
    }

    private static long peakMemory(Process process) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                            .map(line -> line.replaceAll("\\D", ""))
                            .mapToLong(Long::parseLong)
                            .sum()
                    * 1024;
        } catch (IOException | UncheckedIOException e) {
            return 0; // ended meanwhile
        }
    }
}
