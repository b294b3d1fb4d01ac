package dev.orloj.benchmarks.history;

import java.util.List;

/**
 * How a quantity of one commit compares with that of another, from rounds in which both were
 * measured one right after the other.
 *
 * @param worsening for each round, how many times as bad the second commit is: above 1 is worse
 */
record PairedRatios(List<Double> worsening) {

    /** A loss that is not accepted. */
    static final double LIMIT = 1.05;

    /** The chance that rounds of two equal commits all lie on one side by accident. */
    private static final double ACCIDENT = 0.07;

    PairedRatios {
        worsening = List.copyOf(worsening);
        if (worsening.isEmpty()) {
            throw new IllegalArgumentException("no rounds to compare");
        }
    }

    double median() {
        double[] sorted = sorted();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * The least that the median of endless rounds is likely to be: one end of its confidence
     * interval, by the sign test. It assumes nothing about how disturbances are distributed. Not a
     * number when there are too few rounds.
     */
    double atLeast() {
        return end(sorted());
    }

    /** The most that it is likely to be: the other end. */
    double atMost() {
        return 1 / end(worsening.stream().mapToDouble(ratio -> 1 / ratio).sorted().toArray());
    }

    private static double end(double[] sorted) {
        double chance = 0;
        double combinations = 1;
        double all = Math.pow(2, sorted.length);
        double bound = Double.NaN;
        for (int i = 0; i < sorted.length; i++) {
            chance += combinations / all;
            if (chance > ACCIDENT) {
                return bound;
            }
            bound = sorted[i];
            combinations = combinations * (sorted.length - i) / (i + 1);
        }
        return bound;
    }

    /** Whether the second commit is worse by more than the limit, and not by accident. */
    boolean isRegression() {
        return median() > LIMIT && atLeast() > 1;
    }

    /** Whether the second commit is better, and not by accident. */
    boolean isImprovement() {
        return atMost() < 1;
    }

    private double[] sorted() {
        return worsening.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }
}
