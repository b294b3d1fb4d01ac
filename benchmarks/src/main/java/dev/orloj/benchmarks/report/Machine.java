package dev.orloj.benchmarks.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Where a run took place. Figures of two machines, or of two runs, are not to be compared; ratios
 * within a run are.
 *
 * @param loadAverage of the minute before the run: what else was going on
 * @param commit "unknown" outside of a clone; with "+" when the clone was changed
 */
public record Machine(
        String os,
        String cpu,
        int processors,
        long memoryMebibytes,
        double loadAverage,
        String jdk,
        String commit) {

    public static Machine current(String commit) {
        return new Machine(
                System.getProperty("os.name")
                        + " "
                        + System.getProperty("os.version")
                        + " "
                        + System.getProperty("os.arch"),
                procField("/proc/cpuinfo", "model name", "unknown"),
                Runtime.getRuntime().availableProcessors(),
                installedMebibytes(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                System.getProperty("java.vendor")
                        + " "
                        + System.getProperty("java.runtime.version"),
                commit);
    }

    private static long installedMebibytes() {
        String total = procField("/proc/meminfo", "MemTotal", "0 kB");
        return Long.parseLong(total.split(" ", 2)[0]) / 1024;
    }

    private static String procField(String file, String name, String otherwise) {
        Path path = Path.of(file);
        if (!Files.isReadable(path)) {
            return otherwise;
        }
        try (Stream<String> lines = Files.lines(path)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(otherwise);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String text() {
        return String.format(
                Locale.ROOT,
                "machine  %s, %d processors (%s), %,d MiB, load %.2f before the run%n"
                        + "jdk      %s%n"
                        + "commit   %s",
                os,
                processors,
                cpu,
                memoryMebibytes,
                loadAverage,
                jdk,
                commit);
    }
}
