package dev.orloj.benchmarks.report;

import java.util.Locale;

/**
 * What a figure ought to be.
 *
 * @param text what is compared with what
 */
public record Goal(String text, double measured, Bound bound, double limit) {

    /** On which side of the limit the figure ought to be. */
    public enum Bound {
        AT_MOST,
        AT_LEAST
    }

    public boolean met() {
        return switch (bound) {
            case AT_MOST -> measured <= limit;
            case AT_LEAST -> measured >= limit;
        };
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "%-6s  %s: %.2f (goal: %s %s)",
                met() ? "met" : "missed",
                text,
                measured,
                bound == Bound.AT_MOST ? "at most" : "at least",
                limit == Math.rint(limit) ? Long.toString((long) limit) : Double.toString(limit));
    }
}
