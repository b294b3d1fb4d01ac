package dev.orloj.benchmarks.suite;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts what is alive in the heap of an orlojd. */
public final class LiveHeap {

    private static final Pattern TOTAL = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");

    private LiveHeap() {}

    /** Makes the JVM collect all garbage and counts what is left. */
    public static long bytes(OrlojdProcess orlojd) throws IOException, InterruptedException {
        Process jcmd =
                new ProcessBuilder(
                                System.getProperty("java.home") + "/bin/jcmd",
                                Long.toString(orlojd.process().pid()),
                                "GC.class_histogram")
                        .redirectErrorStream(true)
                        .start();
        String histogram = new String(jcmd.getInputStream().readAllBytes());
        jcmd.waitFor();
        Matcher total = TOTAL.matcher(histogram);
        if (!total.find()) {
            throw new IllegalStateException("jcmd did not count the heap: " + histogram);
        }
        return Long.parseLong(total.group(1));
    }
}
