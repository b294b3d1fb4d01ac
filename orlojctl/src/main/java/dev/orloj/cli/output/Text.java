package dev.orloj.cli.output;

import dev.orloj.api.Kind;
import dev.orloj.api.terminal.VisibleText;

import java.time.Duration;

/** Small pieces of text for people. */
public final class Text {

    private Text() {}

    /**
     * One line that no terminal takes for anything but text: a tool's description comes from a
     * stranger, and may hold line breaks and escape sequences.
     */
    public static String oneLine(String text) {
        return VisibleText.oneLine(text);
    }

    /** A span as Kubernetes prints it: {@code 45s}, {@code 3m12s}, {@code 5h}, {@code 2d}. */
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

    /** A kind as results and {@code -o name} show it: {@code tool.orloj.dev}. */
    public static String qualified(Kind<?> kind) {
        return kind.group().isEmpty() ? kind.singular() : kind.singular() + "." + kind.group();
    }

    /** {@code 1 tool}, {@code 2 tools}. */
    public static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
