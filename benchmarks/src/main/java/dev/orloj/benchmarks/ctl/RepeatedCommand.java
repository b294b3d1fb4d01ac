package dev.orloj.benchmarks.ctl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program that runs to its end, several times in a row: the shell that runs it reports the
 * processor time of all its children together, which for one of them would be too coarse.
 *
 * @param environment beside that of this process
 */
record RepeatedCommand(Map<String, String> environment, List<String> command) {

    static final String WALL = "wall";
    static final String CPU = "cpu";

    private static final String SCRIPT =
            "n=$1; shift; while [ $n -gt 0 ]; do \"$@\" >/dev/null || exit; n=$((n - 1)); done;"
                    + " times";
    private static final Pattern TIME = Pattern.compile("(\\d+)m([\\d.]+)s");

    RepeatedCommand {
        environment = Map.copyOf(environment);
        command = List.copyOf(command);
    }

    static RepeatedCommand of(Map<String, String> environment, Path program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        return new RepeatedCommand(environment, command);
    }

    /**
     * Runs it, and returns the milliseconds of one run: {@link #WALL} and {@link #CPU}.
     *
     * @throws IllegalStateException with its output when it fails
     */
    Map<String, Double> run(int times) throws IOException, InterruptedException {
        List<String> shell =
                new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "sh", Integer.toString(times)));
        shell.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(shell).redirectErrorStream(true);
        builder.environment().putAll(environment);
        long start = System.nanoTime();
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("%s failed:%n%s".formatted(command, output));
        }
        double wall = (System.nanoTime() - start) / 1e6;
        return Map.of(WALL, wall / times, CPU, ofChildren(output) / times);
    }

    /** Reads the last line, which has the user and the system time of the children. */
    static double ofChildren(String output) {
        List<String> lines = output.strip().lines().toList();
        Matcher time = TIME.matcher(lines.getLast());
        double millis = 0;
        while (time.find()) {
            millis +=
                    Double.parseDouble(time.group(1)) * 60_000
                            + Double.parseDouble(time.group(2)) * 1_000;
        }
        return millis;
    }
}
