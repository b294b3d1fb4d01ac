package dev.orloj.benchmarks.report;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What was measured of one subject under one load, round by round.
 *
 * @param load empty when there is only one
 * @param rounds values by {@link Column#key}
 */
public record Row(String subject, String load, List<Map<String, Double>> rounds) {

    public Row {
        rounds = rounds.stream().<Map<String, Double>>map(Map::copyOf).toList();
    }

    /** Of something that is measured once. */
    public static Row once(String subject, String load, Map<String, Double> values) {
        return new Row(subject, load, List.of(values));
    }

    /** The median of all rounds; empty when this was not measured here. */
    public OptionalDouble value(String column) {
        return median(
                rounds.stream()
                        .filter(round -> round.containsKey(column))
                        .mapToDouble(round -> round.get(column))
                        .toArray());
    }

    /**
     * How many times as much as that of the other row: the median over the rounds, in each of which
     * both were measured one right after the other.
     */
    public OptionalDouble ratioTo(Row other, String column) {
        int common = Math.min(rounds.size(), other.rounds.size());
        double[] ratios = new double[common];
        for (int i = 0; i < common; i++) {
            Double own = rounds.get(i).get(column);
            Double base = other.rounds.get(i).get(column);
            if (own == null || base == null || base == 0) {
                return OptionalDouble.empty();
            }
            ratios[i] = own / base;
        }
        return median(ratios);
    }

    /** How much more than that of the other row: the median over the rounds, as with ratios. */
    public OptionalDouble differenceTo(Row other, String column) {
        int common = Math.min(rounds.size(), other.rounds.size());
        double[] differences = new double[common];
        for (int i = 0; i < common; i++) {
            Double own = rounds.get(i).get(column);
            Double base = other.rounds.get(i).get(column);
            if (own == null || base == null) {
                return OptionalDouble.empty();
            }
            differences[i] = own - base;
        }
        return median(differences);
    }

    private static OptionalDouble median(double[] values) {
        if (values.length == 0) {
            return OptionalDouble.empty();
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return OptionalDouble.of(
                sorted.length % 2 == 1
                        ? sorted[middle]
                        : (sorted[middle - 1] + sorted[middle]) / 2);
    }
}
