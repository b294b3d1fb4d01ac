package dev.orloj.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What an orlojd holds at one moment.
 *
 * @param heapBytes after a full collection
 * @param temporaryFiles of it and its children
 * @param sessions with servers, those that are on their way out included
 */
public record Footprint(
        long descriptors, long threads, long heapBytes, long temporaryFiles, long sessions) {

    /** Connections that are kept open for a while, and threads that wait for more work. */
    private static final int SPARE = 15;

    /** Caches that fill, and code that is compiled. */
    private static final long SPARE_HEAP = 8L * 1024 * 1024;

    private static final Pattern SESSIONS =
            Pattern.compile("(?m)^orloj_sessions_open(?:\\{[^}]*})? ([0-9.E]+)$");
    private static final Pattern HEAP =
            Pattern.compile("(?m)^jvm_memory_used_bytes\\{area=\"heap\"[^}]*} ([0-9.E]+)$");

    /**
     * @param client always the same one, for its connections count too
     * @param data where the orlojd has its files
     */
    public static Footprint of(long pid, RestClient client, Path data)
            throws IOException, InterruptedException {
        collectGarbage(pid);
        String metrics = client.get("/metrics").expect(200).text();
        Path process = Path.of("/proc", Long.toString(pid));
        return new Footprint(
                count(process.resolve("fd")),
                count(process.resolve("task")),
                sum(HEAP, metrics),
                temporaryFiles(data).size(),
                sum(SESSIONS, metrics));
    }

    /** Without those that the JVM itself keeps as long as it runs. */
    public static List<Path> temporaryFiles(Path data) throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve(OrlojdProcess.TEMPORARY))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().contains("hsperfdata"))
                    .toList();
        }
    }

    /** Whether it has not grown since, but for what comes and goes. */
    public void assertNoLargerThan(Footprint before) {
        assertThat(descriptors).as("descriptors").isLessThan(before.descriptors + SPARE);
        assertThat(threads).as("threads").isLessThan(before.threads + SPARE);
        assertThat(heapBytes).as("heap").isLessThan(before.heapBytes + SPARE_HEAP);
    }

    private static void collectGarbage(long pid) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        int code =
                new ProcessBuilder(jcmd, Long.toString(pid), "GC.run")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
        assertThat(code).as("jcmd GC.run").isZero();
    }

    private static long sum(Pattern line, String metrics) {
        return line.matcher(metrics)
                .results()
                .mapToLong(found -> (long) Double.parseDouble(found.group(1)))
                .sum();
    }

    private static long count(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.count();
        }
    }
}
