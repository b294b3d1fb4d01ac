package dev.orloj.benchmarks;

import dev.orloj.benchmarks.suite.Effort;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * What was asked for.
 *
 * @param names of benchmarks; empty for all
 * @param list only say which there are
 * @param jvmFlags of the JVMs that are measured
 * @param results folder for the JSON file
 */
record CommandLine(
        List<String> names, boolean list, Effort effort, List<String> jvmFlags, Path results) {

    static final String USAGE =
            """
            Usage: bin/benchmark [--quick] [--list] [--jvm "FLAG..."] [--results DIR] [NAME...]
              --quick    seconds instead of minutes, to see where things stand; not to be quoted
              --list     say which benchmarks there are
              --jvm      flags of the JVMs that are measured, instead of those of bin/orlojd
              --results  folder of the JSON files (default: benchmarks/target/results)
            """;

    /** Those of bin/orlojd. */
    private static final String ORLOJD_FLAGS =
            "-XX:+UseSerialGC -Xms64m -Xmx512m --enable-native-access=ALL-UNNAMED";

    /**
     * @throws IllegalArgumentException that says what is not understood
     */
    static CommandLine parse(String... args) {
        List<String> names = new ArrayList<>();
        boolean list = false;
        Effort effort = Effort.FULL;
        String flags = ORLOJD_FLAGS;
        Path results = Path.of("benchmarks", "target", "results");
        for (Iterator<String> rest = List.of(args).iterator(); rest.hasNext(); ) {
            String arg = rest.next();
            switch (arg) {
                case "--quick" -> effort = Effort.QUICK;
                case "--list" -> list = true;
                case "--jvm" -> flags = valueOf(arg, rest);
                case "--results" -> results = Path.of(valueOf(arg, rest));
                default -> {
                    if (arg.startsWith("-")) {
                        throw new IllegalArgumentException("unknown option \"%s\"".formatted(arg));
                    }
                    names.add(arg);
                }
            }
        }
        return new CommandLine(
                List.copyOf(names), list, effort, List.of(flags.strip().split("\\s+")), results);
    }

    private static String valueOf(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return rest.next();
    }
}
