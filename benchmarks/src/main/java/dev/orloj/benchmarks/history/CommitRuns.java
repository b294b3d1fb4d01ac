package dev.orloj.benchmarks.history;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures two commits turn and turn about, each with the benchmarks of its own: what the machine
 * does besides meets both. Their checkouts stay below {@code target/compare} for the next time.
 */
public final class CommitRuns {

    private static final String SCRIPT = "bin/benchmark";

    private final Path root;
    private final PrintStream out;

    /**
     * @param root of a clone
     */
    public CommitRuns(Path root, PrintStream out) {
        this.root = root;
        this.out = out;
    }

    /**
     * Measures and prints what became of each ratio.
     *
     * @param before a commit, branch or tag
     * @param after another
     * @param benchmarks names; empty for all
     * @param options of {@code bin/benchmark} for each run
     * @return whether something is worse
     */
    public boolean compare(
            String before, String after, List<String> benchmarks, List<String> options, int rounds)
            throws IOException, InterruptedException {
        List<Path> checkouts = List.of(checkOut(before), checkOut(after));
        Comparison comparison = new Comparison();
        for (int round = 1; round <= rounds; round++) {
            // Who goes first changes, so that neither has the machine as the other leaves it.
            boolean isEven = round % 2 == 0;
            Path[] files = new Path[2];
            for (int turn : isEven ? new int[] {1, 0} : new int[] {0, 1}) {
                out.printf("round %d of %d: %s%n", round, rounds, turn == 0 ? before : after);
                files[turn] = measure(checkouts.get(turn), benchmarks, options);
            }
            comparison.add(files[0], files[1]);
        }
        if (comparison.isEmpty()) {
            throw new IOException("the two commits have no ratio in common");
        }
        comparison.lines().forEach(out::println);
        List<String> regressions = comparison.regressions();
        out.printf(
                "%d of %d ratios are worse by more than 5 %%%n",
                regressions.size(), comparison.lines().size());
        return !regressions.isEmpty();
    }

    private Path checkOut(String name) throws IOException, InterruptedException {
        String commit = git("rev-parse", "--verify", "--short=12", name + "^{commit}");
        Path folder = root.resolve("target/compare").resolve(commit);
        if (Files.notExists(folder.resolve(SCRIPT))) {
            Files.createDirectories(folder.getParent());
            git("worktree", "prune");
            git("worktree", "add", "--detach", folder.toString(), commit);
        }
        return folder;
    }

    private String git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        byte[] bytes = process.getInputStream().readAllBytes();
        String output = new String(bytes, StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed");
        }
        return output.strip();
    }

    /** Runs them in a checkout and returns the file that they leave. */
    private static Path measure(Path checkout, List<String> benchmarks, List<String> options)
            throws IOException, InterruptedException {
        Path results = Files.createTempDirectory("orloj-compare-");
        List<String> command = new ArrayList<>();
        command.add(checkout.resolve(SCRIPT).toString());
        command.addAll(options);
        command.addAll(List.of("--results", results.toString()));
        command.addAll(benchmarks);
        Path log = results.resolve("log");
        Process process =
                new ProcessBuilder(command)
                        .directory(checkout.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        int code = process.waitFor();
        try (Stream<Path> files = Files.list(results)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .max(Comparator.naturalOrder())
                    .filter(file -> code == 0)
                    .orElseThrow(
                            () ->
                                    new IOException(
                                            "%s ended with code %d, see \"%s\""
                                                    .formatted(command, code, log)));
        }
    }
}
