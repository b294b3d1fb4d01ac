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
 * @param record whether the ratios are added to the history
 * @param compare two commits to be compared; empty otherwise
 * @param rounds of such a comparison
 */
record CommandLine(
        List<String> names,
        boolean list,
        Effort effort,
        List<String> jvmFlags,
        Path results,
        boolean record,
        List<String> compare,
        int rounds) {

    static final String USAGE =
            """
            Usage: bin/benchmark [--quick] [--list] [--jvm "FLAG..."] [--results DIR] [--record] [NAME...]
                   bin/benchmark compare A B [--quick] [--rounds N] [NAME...]
              --quick    seconds instead of minutes, to see where things stand; not to be quoted
              --list     say which benchmarks there are
              --jvm      flags of the JVMs that are measured, instead of those of bin/orlojd
              --results  folder of the JSON files (default: benchmarks/target/results)
              --record   add the ratios to benchmarks/history.csv
              --rounds   turns of each commit (default: 5)
            compare measures two commits turn and turn about; code 3: B is worse than A by more than 5 %
            """;

    private static final int DEFAULT_ROUNDS = 5;

    /** With fewer, any difference may be an accident. */
    private static final int MIN_ROUNDS = 4;

    private static final int MAX_ROUNDS = 99;

    /** Those of bin/orlojd. */
    private static final String ORLOJD_FLAGS =
            "-XX:+UseG1GC -XX:-G1UseAdaptiveIHOP -XX:InitiatingHeapOccupancyPercent=75"
                    + " -XX:G1PeriodicGCInterval=30000 -Xms64m -Xmx512m"
                    + " -XX:TrimNativeHeapInterval=10000 --enable-native-access=ALL-UNNAMED";

    /**
     * @throws IllegalArgumentException that says what is not understood
     */
    static CommandLine parse(String... args) {
        List<String> names = new ArrayList<>();
        boolean list = false;
        Effort effort = Effort.FULL;
        String flags = ORLOJD_FLAGS;
        Path results = Path.of("benchmarks", "target", "results");
        boolean record = false;
        int rounds = DEFAULT_ROUNDS;
        for (Iterator<String> rest = List.of(args).iterator(); rest.hasNext(); ) {
            String arg = rest.next();
            switch (arg) {
                case "--quick" -> effort = Effort.QUICK;
                case "--list" -> list = true;
                case "--jvm" -> flags = valueOf(arg, rest);
                case "--record" -> record = true;
                case "--rounds" -> rounds = rounds(valueOf(arg, rest));
                case "--results" -> results = Path.of(valueOf(arg, rest));
                default -> {
                    if (arg.startsWith("-")) {
                        throw new IllegalArgumentException("unknown option \"%s\"".formatted(arg));
                    }
                    names.add(arg);
                }
            }
        }
        List<String> commits = List.of();
        if (!names.isEmpty() && names.getFirst().equals("compare")) {
            if (names.size() < 3) {
                throw new IllegalArgumentException("compare needs two commits");
            }
            commits = List.copyOf(names.subList(1, 3));
            names = names.subList(3, names.size());
        }
        return new CommandLine(
                List.copyOf(names),
                list,
                effort,
                List.of(flags.strip().split("\\s+")),
                results,
                record,
                commits,
                rounds);
    }

    private static int rounds(String text) {
        try {
            int rounds = Integer.parseInt(text);
            if (rounds >= MIN_ROUNDS && rounds <= MAX_ROUNDS) {
                return rounds;
            }
        } catch (NumberFormatException e) {
            // the same message as for a number that is out of bounds
        }
        throw new IllegalArgumentException(
                "--rounds \"%s\": expected a number from %d to %d"
                        .formatted(text, MIN_ROUNDS, MAX_ROUNDS));
    }

    private static String valueOf(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return rest.next();
    }
}
