package dev.orloj.api.terminal;

/**
 * Makes hidden characters visible. Control characters, which can control a terminal, and characters
 * that change the direction of text or break lines invisibly become Unicode escapes, as in JSON.
 */
public final class VisibleText {

    private VisibleText() {}

    /** Converts a text to one line. Line ends and tabs become spaces. */
    public static String oneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || c == '\t' || c == '\r') {
                line.append(' ');
            } else if (isHidden(c)) {
                line.append(escape(c));
            } else {
                line.append(c);
            }
        }
        return line.toString();
    }

    /**
     * Returns whether a character is a control character (C0, DEL, C1), a mark of the direction of
     * text, or a separator of lines or paragraphs.
     */
    static boolean isHidden(int c) {
        return Character.isISOControl(c)
                || c == 0x061c
                || c == 0x200e
                || c == 0x200f
                || c >= 0x2028 && c <= 0x202e
                || c >= 0x2066 && c <= 0x2069;
    }

    static String escape(int c) {
        return "\\u%04x".formatted(c);
    }
}
