package dev.orloj.benchmarks.report;

/**
 * How many times as much as the baseline of its benchmark.
 *
 * @param load empty when there is only one
 * @param quantity the key of a {@link Column}
 */
public record Ratio(String subject, String load, String quantity, double ratio) {}
