package dev.orloj.benchmarks.suite;

import java.time.Duration;

/**
 * How thorough a run is, and thereby how long it takes.
 *
 * @param rounds how often each subject is measured; medians are taken
 * @param slice how long one measurement lasts
 * @param settle unrecorded load right before each measurement
 * @param warmUp unrecorded load once for each subject, for the compilers of the JVM
 * @param objects how many objects benchmarks of memory make
 * @param slowParts whether parts are measured that take a minute to prepare
 * @param forks JVMs for each JMH benchmark; 0 runs them in this one
 */
public record Effort(
        String name,
        int rounds,
        Duration slice,
        Duration settle,
        Duration warmUp,
        int objects,
        boolean slowParts,
        int forks) {

    /** For figures to be quoted: about a quarter of an hour for all benchmarks together. */
    public static final Effort FULL =
            new Effort(
                    "full",
                    5,
                    Duration.ofMillis(1_500),
                    Duration.ofMillis(300),
                    Duration.ofSeconds(30),
                    1_000,
                    true,
                    1);

    /** To see where things stand: less than two minutes. */
    public static final Effort QUICK =
            new Effort(
                    "quick",
                    1,
                    Duration.ofMillis(800),
                    Duration.ofMillis(100),
                    Duration.ofSeconds(3),
                    50,
                    false,
                    1);
}
