package dev.orloj.api.findings;

import dev.orloj.api.character.CharacterClass;
import dev.orloj.api.character.CharacterContext;

import java.util.HashSet;
import java.util.Set;

/**
 * Finds characters of a text that are not seen, in one pass over the raw text. What a script or an
 * emoji needs is no finding. Not thread-safe.
 */
final class HiddenCharacters {

    private static final int ESCAPE = 0x1b;
    private static final int CONTROL_SEQUENCE = 0x9b;
    private static final int BACKSPACE = 8;
    private static final int MANY = 8;
    private static final int MANY_KINDS = 3;
    private static final int MAX_DECODED = 200;
    private static final int SHORTEST_DECODED = 4;

    private final DefinitionText text;
    private final FindingList findings;
    private final CharacterContext context;
    private final Set<Integer> kinds = new HashSet<>();
    private int invisible;
    private int firstInvisible = -1;
    private int lastInvisible;
    private int privateUse;

    private HiddenCharacters(DefinitionText text, FindingList findings) {
        this.text = text;
        this.findings = findings;
        this.context = new CharacterContext(text.text());
    }

    static void examine(DefinitionText text, FindingList findings) {
        if (!isPlain(text.text())) {
            new HiddenCharacters(text, findings).examine();
        }
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x7f || c < ' ' && c != '\n' && c != '\t' && c != '\r') {
                return false;
            }
        }
        return true;
    }

    private void examine() {
        String raw = text.text();
        for (int i = 0; i < raw.length(); ) {
            int c = raw.codePointAt(i);
            int next = i + Character.charCount(c);
            switch (CharacterClass.of(c)) {
                case VISIBLE -> {}
                case TAG -> next = tags(i);
                case BIDI -> bidi(c, i, next);
                case BIDI_MARK -> {
                    if (!context.isRightToLeft()) {
                        invisible(c, i);
                    }
                }
                case INVISIBLE -> {
                    if (!context.needsInvisible(c, i)) {
                        invisible(c, i);
                    }
                }
                case VARIATION -> next = variations(c, i);
                case PRIVATE_USE -> {
                    if (privateUse++ == 0) {
                        findings.add(
                                FindingRule.PRIVATE_USE_CHARACTER,
                                text,
                                i,
                                next,
                                "A character of the private use area");
                    }
                }
                case CONTROL -> control(c, i, next);
            }
            i = next;
        }
        addInvisible();
    }

    private void invisible(int c, int at) {
        invisible++;
        kinds.add(c);
        if (firstInvisible < 0) {
            firstInvisible = at;
        }
        lastInvisible = at + Character.charCount(c);
    }

    private void addInvisible() {
        if (invisible == 0) {
            return;
        }
        boolean isMany = invisible >= MANY || kinds.size() >= MANY_KINDS;
        findings.add(
                FindingRule.INVISIBLE_CHARACTER,
                isMany || text.role().isName() ? FindingSeverity.HIGH : FindingSeverity.MEDIUM,
                text,
                firstInvisible,
                lastInvisible,
                "%,d invisible characters of %,d kinds, the first one U+%04X"
                        .formatted(
                                invisible, kinds.size(), text.text().codePointAt(firstInvisible)));
    }

    private void bidi(int c, int start, int end) {
        boolean overrides = c == 0x202d || c == 0x202e;
        findings.add(
                FindingRule.BIDI_CONTROL,
                context.isRightToLeft() && !overrides
                        ? FindingSeverity.LOW
                        : FindingRule.BIDI_CONTROL.severity(),
                text,
                start,
                end,
                "The bidirectional control U+%04X: the text is not shown in its order"
                        .formatted(c));
    }

    private int tags(int start) {
        int flag = context.flagTags(start);
        if (flag > 0) {
            return start + flag;
        }
        String raw = text.text();
        StringBuilder decoded = new StringBuilder();
        int end = start;
        while (end < raw.length()) {
            int c = raw.codePointAt(end);
            if (CharacterClass.of(c) != CharacterClass.TAG) {
                break;
            }
            if (c >= 0xe0020 && c < 0xe007f && decoded.length() < MAX_DECODED) {
                decoded.append((char) (c - 0xe0000));
            }
            end += Character.charCount(c);
        }
        findings.add(
                FindingRule.TAG_CHARACTERS,
                decoded.isEmpty() ? FindingSeverity.HIGH : FindingSeverity.CRITICAL,
                text,
                start,
                end,
                decoded.isEmpty()
                        ? "Tag characters"
                        : "Tag characters that spell \"%s\"".formatted(decoded));
        return end;
    }

    /** A run of selectors can carry any bytes; one behind a character is ordinary. */
    private int variations(int first, int start) {
        String raw = text.text();
        StringBuilder decoded = new StringBuilder();
        int count = 0;
        int end = start;
        while (end < raw.length()) {
            int c = raw.codePointAt(end);
            if (CharacterClass.of(c) != CharacterClass.VARIATION) {
                break;
            }
            int value = c >= 0xe0100 ? c - 0xe0100 + 16 : c - 0xfe00;
            if (value >= ' ' && value < 0x7f && decoded.length() < MAX_DECODED) {
                decoded.append((char) value);
            }
            count++;
            end += Character.charCount(c);
        }
        if (count == 1 && !context.needsVariation(first, start)) {
            invisible(first, start);
        } else if (count > 1) {
            boolean readable = decoded.length() >= SHORTEST_DECODED;
            findings.add(
                    FindingRule.VARIATION_BYTES,
                    readable ? FindingSeverity.CRITICAL : FindingSeverity.HIGH,
                    text,
                    start,
                    end,
                    "%,d variation selectors in a row".formatted(count)
                            + (readable ? " that spell \"%s\"".formatted(decoded) : ""));
        }
        return end;
    }

    private void control(int c, int start, int end) {
        if (c == ESCAPE || c == CONTROL_SEQUENCE) {
            findings.add(
                    FindingRule.TERMINAL_ESCAPE,
                    text,
                    start,
                    end,
                    "An escape sequence of terminals");
        } else if (c >= 0xd800) {
            findings.add(
                    FindingRule.CONTROL_CHARACTER,
                    text,
                    start,
                    end,
                    "Half of a surrogate pair, U+%04X".formatted(c));
        } else {
            findings.add(
                    FindingRule.CONTROL_CHARACTER,
                    c == BACKSPACE ? FindingSeverity.HIGH : FindingSeverity.MEDIUM,
                    text,
                    start,
                    end,
                    "The control character U+%04X".formatted(c));
        }
    }
}
