package dev.orloj.server.rest.http;

import java.time.Duration;

/** Formats durations in their two largest units, as {@code kubectl} prints ages. */
public final class HumanDuration {

    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long YEAR = 365 * DAY;

    private HumanDuration() {}

    public static String of(Duration span) {
        long seconds = span.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 2 * MINUTE) {
            return Math.max(0, seconds) + "s";
        }
        if (seconds < 10 * MINUTE) {
            return two(seconds / MINUTE, "m", seconds % MINUTE, "s");
        }
        if (seconds < 3 * HOUR) {
            return seconds / MINUTE + "m";
        }
        if (seconds < 8 * HOUR) {
            return two(seconds / HOUR, "h", seconds % HOUR / MINUTE, "m");
        }
        if (seconds < 2 * DAY) {
            return seconds / HOUR + "h";
        }
        if (seconds < 8 * DAY) {
            return two(seconds / DAY, "d", seconds % DAY / HOUR, "h");
        }
        if (seconds < 2 * YEAR) {
            return seconds / DAY + "d";
        }
        if (seconds < 8 * YEAR) {
            return two(seconds / YEAR, "y", seconds % YEAR / DAY, "d");
        }
        return seconds / YEAR + "y";
    }

    private static String two(long more, String unit, long less, String smallerUnit) {
        return less == 0 ? more + unit : more + unit + less + smallerUnit;
    }
}
