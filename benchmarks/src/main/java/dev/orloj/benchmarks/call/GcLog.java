package dev.orloj.benchmarks.call;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The pauses that a JVM has written down.
 *
 * @param file of {@code -Xlog:gc}
 */
record GcLog(Path file) {

    private static final Pattern PAUSE = Pattern.compile("Pause .* ([0-9.]+)ms");

    /** How many lines there are so far. */
    int position() throws IOException {
        return Files.readAllLines(file).size();
    }

    /** The pauses since a position, in milliseconds. */
    List<Double> pausesSince(int position) throws IOException {
        return Files.readAllLines(file).stream()
                .skip(position)
                .map(PAUSE::matcher)
                .filter(Matcher::find)
                .map(pause -> Double.parseDouble(pause.group(1)))
                .toList();
    }
}
