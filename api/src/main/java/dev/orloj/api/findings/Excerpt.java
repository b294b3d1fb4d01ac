package dev.orloj.api.findings;

import dev.orloj.api.character.CharacterClass;

/** Shows a span of a text, so that what cannot be seen can be read. */
final class Excerpt {

    private static final int BEFORE = 40;
    private static final int AFTER = 60;
    private static final int MAX_SPAN = 120;
    private static final int MAX_ESCAPED = 300;

    private Excerpt() {}

    /** Returns a span and what surrounds it, escaped and on one line. */
    static String of(String text, int start, int end) {
        int last = Math.min(end, start + MAX_SPAN);
        int from = Math.max(0, start - BEFORE);
        int to = Math.min(text.length(), last + AFTER);
        String shown = escape(text.substring(from, to));
        return (from > 0 ? "…" : "") + shown + (to < text.length() ? "…" : "");
    }

    /** Escapes what cannot be seen, at most {@link #MAX_ESCAPED} characters. */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(Math.min(text.length(), MAX_ESCAPED) + 8);
        int blanks = 0;
        for (int i = 0; i < text.length() && escaped.length() < MAX_ESCAPED; ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            blanks = c == ' ' || c == '\n' ? blanks + 1 : 0;
            if (blanks > 3) {
                continue;
            }
            if (c == '\n') {
                escaped.append("\\n");
            } else if (c == '\t') {
                escaped.append(' ');
            } else if (isUnseen(c)) {
                escaped.append("\\u{").append(Integer.toHexString(c)).append('}');
            } else {
                escaped.appendCodePoint(c);
            }
        }
        return escaped.toString();
    }

    private static boolean isUnseen(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    true;
            case Character.SPACE_SEPARATOR -> c != ' ';
            default -> CharacterClass.of(c) != CharacterClass.VISIBLE;
        };
    }
}
