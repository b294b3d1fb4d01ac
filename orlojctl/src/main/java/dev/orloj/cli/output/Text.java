package dev.orloj.cli.output;

import dev.orloj.api.Kind;
import dev.orloj.api.terminal.VisibleText;

import java.time.Duration;

/** Formats short texts for users. */
public final class Text {

    private Text() {}

    /**
     * Returns a single line without control characters: a tool's description is untrusted and may
     * contain line breaks and escape sequences.
     */
    public static String oneLine(String text) {
        return VisibleText.oneLine(text);
    }

    /** Formats a time span like Kubernetes: {@code 45s}, {@code 3m12s}, {@code 5h}, {@code 2d}. */
    public static String age(Duration span) {
        long seconds = Math.max(0, span.toSeconds());
        if (seconds < 120) {
            return seconds + "s";
        }
        if (seconds < 600) {
            return seconds / 60 + "m" + (seconds % 60 == 0 ? "" : seconds % 60 + "s");
        }
        if (seconds < 3 * 3600) {
            return seconds / 60 + "m";
        }
        return seconds < 48 * 3600 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
    }

    /** Returns a kind as results and {@code -o name} show it: {@code tool.orloj.dev}. */
    public static String qualified(Kind<?> kind) {
        return kind.group().isEmpty() ? kind.singular() : kind.singular() + "." + kind.group();
    }

    /** Returns {@code 1 tool}, {@code 2 tools}. */
    public static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
