package dev.orloj.cli.admin;

import java.util.Locale;

/** Writes sizes for people. */
final class Size {

    private static final int KILO = 1000;

    private Size() {}

    static String text(long bytes) {
        double size = bytes;
        int unit = 0;
        while (size >= KILO && unit < 4) {
            size /= KILO;
            unit++;
        }
        return unit == 0
                ? bytes + " bytes"
                : String.format(Locale.ROOT, "%.1f %cB", size, "kMGT".charAt(unit - 1));
    }
}
