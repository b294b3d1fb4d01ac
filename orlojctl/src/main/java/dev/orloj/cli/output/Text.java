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

    /** Returns the columns that a terminal needs for a line. */
    public static int width(String line) {
        int width = 0;
        for (int i = 0; i < line.length(); ) {
            int character = line.codePointAt(i);
            width += width(character);
            i += Character.charCount(character);
        }
        return width;
    }

    private static int width(int character) {
        if (character < 0x300) {
            return 1;
        }
        return switch (Character.getType(character)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(character) ? 2 : 1;
        };
    }

    /** The blocks of East Asian scripts and of emoji, which terminals show in two columns. */
    private static boolean isWide(int character) {
        return (character >= 0x1100 && character <= 0x115f)
                || (character >= 0x2e80 && character <= 0xa4cf)
                || (character >= 0xac00 && character <= 0xd7a3)
                || (character >= 0xf900 && character <= 0xfaff)
                || (character >= 0xfe30 && character <= 0xfe6f)
                || (character >= 0xff00 && character <= 0xff60)
                || (character >= 0xffe0 && character <= 0xffe6)
                || (character >= 0x1f300 && character <= 0x1faff)
                || character >= 0x20000;
    }

    /** Returns a line that needs at most {@code columns}, with {@code …} for what is cut. */
    static String cut(String line, int columns) {
        if (line.length() <= columns / 2 || width(line) <= columns) {
            return line;
        }
        int end = 0;
        for (int width = 0; end < line.length(); ) {
            int character = line.codePointAt(end);
            width += width(character);
            if (width >= columns) {
                break;
            }
            end += Character.charCount(character);
        }
        return line.substring(0, end) + "…";
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
