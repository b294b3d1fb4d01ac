package dev.orloj.benchmarks.report;

import java.util.Locale;

/**
 * A quantity that is measured.
 *
 * @param key names it in the JSON file
 * @param title names it, with its unit, in the table
 * @param decimals that are shown
 */
public record Column(String key, String title, int decimals) {

    String format(double value) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
