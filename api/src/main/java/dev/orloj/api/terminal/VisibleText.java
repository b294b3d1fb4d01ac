package dev.orloj.api.terminal;

/**
 * Text in which nothing is hidden: control characters, with which a terminal can be made to do
 * things, and characters that turn the direction of text or break lines unseen, are written as
 * Unicode escapes, as JSON has them.
 */
public final class VisibleText {

    private VisibleText() {}

    /** A text of any number of lines; line ends and tabs stay. */
    public static String of(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean endsLine = c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
            if (c == '\n' || c == '\t' || endsLine || !isHidden(c)) {
                visible.append(c);
            } else {
                visible.append(escape(c));
            }
        }
        return visible.toString();
    }

    /** One line: line ends and tabs are blanks in it. */
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
     * Whether a character is a control character (C0, DEL, C1), a mark of the direction of text, or
     * a separator of lines or paragraphs.
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
