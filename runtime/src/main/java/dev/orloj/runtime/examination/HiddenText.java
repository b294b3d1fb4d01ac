package dev.orloj.runtime.examination;

import dev.orloj.api.character.CharacterClass;
import dev.orloj.api.character.CharacterContext;

/**
 * Removes characters of a text that are not shown, bidirectional controls and terminal escapes.
 * What a script or an emoji needs stays, and so do line ends, tabs, form feeds and characters for
 * private use. Isolates and embeddings stay in a text with letters that are written from right to
 * left.
 */
final class HiddenText {

    private static final int ESCAPE = 0x1b;
    private static final int CONTROL_SEQUENCE = 0x9b;
    private static final int BELL = 7;
    private static final int FORM_FEED = 0xc;
    private static final int NEXT_LINE = 0x85;
    private static final int STRING_END = 0x9c;

    private final CharSequence text;
    private final FindingTally findings;
    private final CharacterContext context;
    private final StringBuilder shown;
    private int copied;

    private HiddenText(CharSequence text, FindingTally findings) {
        this.text = text;
        this.findings = findings;
        this.context = new CharacterContext(text);
        this.shown = new StringBuilder();
    }

    /** Returns the text itself if there is nothing to remove. */
    static CharSequence remove(CharSequence text, FindingTally findings) {
        return isPlain(text) ? text : new HiddenText(text, findings).remove();
    }

    private static boolean isPlain(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x7f || c < ' ' && c != '\n' && c != '\t' && c != '\r') {
                return false;
            }
        }
        return true;
    }

    private CharSequence remove() {
        for (int i = 0; i < text.length(); ) {
            int c = Character.codePointAt(text, i);
            int next = i + Character.charCount(c);
            i =
                    switch (CharacterClass.of(c)) {
                        case VISIBLE, PRIVATE_USE -> next;
                        case TAG -> tag(i, next);
                        case BIDI -> bidi(c, i, next);
                        case BIDI_MARK ->
                                context.isRightToLeft()
                                        ? next
                                        : cut(FindingKind.INVISIBLE, i, next);
                        case INVISIBLE ->
                                context.needsInvisible(c, i)
                                        ? next
                                        : cut(FindingKind.INVISIBLE, i, next);
                        case VARIATION ->
                                context.needsVariation(c, i)
                                        ? next
                                        : cut(FindingKind.INVISIBLE, i, next);
                        case CONTROL -> control(c, i, next);
                    };
        }
        if (copied == 0) {
            return text;
        }
        return append(text.length());
    }

    private int tag(int at, int next) {
        int flag = context.flagTags(at);
        return flag > 0 ? at + flag : cut(FindingKind.INVISIBLE, at, next);
    }

    private int bidi(int c, int at, int next) {
        boolean overrides = c == 0x202d || c == 0x202e;
        return context.isRightToLeft() && !overrides
                ? next
                : cut(FindingKind.BIDIRECTIONAL, at, next);
    }

    private int control(int c, int at, int next) {
        if (c == FORM_FEED || c == NEXT_LINE || Character.isSurrogate((char) c)) {
            return next;
        }
        int end =
                switch (c) {
                    case ESCAPE -> escape(next);
                    case CONTROL_SEQUENCE -> sequence(next);
                    case 0x90, 0x98, 0x9d, 0x9e, 0x9f -> string(next, next);
                    default -> next;
                };
        return cut(FindingKind.ESCAPE, at, end);
    }

    /** Returns the end of the sequence whose ESC is before a place. */
    private int escape(int at) {
        if (at == text.length()) {
            return at;
        }
        char c = text.charAt(at);
        return switch (c) {
            case '[' -> sequence(at + 1);
            case ']', 'P', 'X', '^', '_' -> string(at, at + 1);
            default -> {
                int end = at;
                while (end < text.length() && isIn(end, 0x20, 0x2f)) {
                    end++;
                }
                yield end < text.length() && isIn(end, 0x30, 0x7e) ? end + 1 : at;
            }
        };
    }

    /** Returns the end of a control sequence, such as that of a color. */
    private int sequence(int at) {
        int end = at;
        while (end < text.length() && isIn(end, 0x20, 0x3f)) {
            end++;
        }
        return end < text.length() && isIn(end, 0x40, 0x7e) ? end + 1 : at;
    }

    /**
     * Returns the end of a control string, such as that of a title.
     *
     * @param otherwise the end of its beginning, for a string that does not end: what follows is
     *     shown then
     */
    private int string(int otherwise, int at) {
        for (int end = at; end < text.length(); end++) {
            char c = text.charAt(end);
            if (c == BELL || c == STRING_END) {
                return end + 1;
            }
            if (c == ESCAPE) {
                return end + 1 < text.length() && text.charAt(end + 1) == '\\'
                        ? end + 2
                        : otherwise;
            }
            if (c < ' ' || c >= 0x7f && c < 0xa0) {
                return otherwise;
            }
        }
        return otherwise;
    }

    private boolean isIn(int at, int first, int last) {
        char c = text.charAt(at);
        return c >= first && c <= last;
    }

    private int cut(FindingKind kind, int start, int end) {
        findings.add(kind);
        append(start);
        copied = end;
        return end;
    }

    private CharSequence append(int end) {
        if (copied < end) {
            // Halves of a surrogate pair on both sides must not become a character.
            if (!shown.isEmpty()
                    && Character.isHighSurrogate(shown.charAt(shown.length() - 1))
                    && Character.isLowSurrogate(text.charAt(copied))) {
                shown.append('\ufffd');
            }
            shown.append(text, copied, end);
        }
        return shown;
    }
}
