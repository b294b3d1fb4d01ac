package dev.orloj.api.character;

import java.lang.Character.UnicodeScript;
import java.util.EnumSet;
import java.util.Set;

/**
 * Decides whether a script or an emoji needs a character of a text that is not seen. Reads the text
 * once when it is made; asking about each character in order reads it a bounded number of times.
 * Thread-safe if the text is.
 */
public final class CharacterContext {

    private static final int ZERO_WIDTH_SPACE = 0x200b;
    private static final int NON_JOINER = 0x200c;
    private static final int JOINER = 0x200d;
    private static final int MARK_OF_ORDER = 0xfeff;
    private static final int SOFT_HYPHEN = 0xad;
    private static final int KEYCAP = 0x20e3;

    /** Scripts whose letters join, or form clusters that the joiners control. */
    private static final Set<UnicodeScript> JOINING =
            EnumSet.of(
                    UnicodeScript.ARABIC,
                    UnicodeScript.SYRIAC,
                    UnicodeScript.MONGOLIAN,
                    UnicodeScript.NKO,
                    UnicodeScript.DEVANAGARI,
                    UnicodeScript.BENGALI,
                    UnicodeScript.GURMUKHI,
                    UnicodeScript.GUJARATI,
                    UnicodeScript.ORIYA,
                    UnicodeScript.TAMIL,
                    UnicodeScript.TELUGU,
                    UnicodeScript.KANNADA,
                    UnicodeScript.MALAYALAM,
                    UnicodeScript.SINHALA,
                    UnicodeScript.KHMER,
                    UnicodeScript.MYANMAR);

    /** Scripts without spaces between words, in which a zero-width space allows a line break. */
    private static final Set<UnicodeScript> UNSPACED =
            EnumSet.of(
                    UnicodeScript.THAI,
                    UnicodeScript.LAO,
                    UnicodeScript.KHMER,
                    UnicodeScript.MYANMAR,
                    UnicodeScript.TIBETAN,
                    UnicodeScript.HAN,
                    UnicodeScript.HIRAGANA,
                    UnicodeScript.KATAKANA);

    private final CharSequence text;
    private final boolean isRightToLeft;

    public CharacterContext(CharSequence text) {
        this.text = text;
        this.isRightToLeft = hasRightToLeft(text);
    }

    /** Returns whether the text has letters that are written from right to left. */
    public boolean isRightToLeft() {
        return isRightToLeft;
    }

    /**
     * Returns whether the text would be another one without the character.
     *
     * @param c of the class {@link CharacterClass#INVISIBLE}
     */
    public boolean needsInvisible(int c, int at) {
        return switch (c) {
            case MARK_OF_ORDER -> at == 0;
            case JOINER -> joinsEmoji(at) || isIn(JOINING, before(at));
            case NON_JOINER -> isIn(JOINING, before(at));
            case ZERO_WIDTH_SPACE -> isIn(UNSPACED, before(at)) || isIn(UNSPACED, after(at));
            case SOFT_HYPHEN -> before(at) > 0x7f && Character.isLetter(before(at));
            default -> false;
        };
    }

    /**
     * Returns whether a selector has a character to select for.
     *
     * @param c of the class {@link CharacterClass#VARIATION}
     */
    public boolean needsVariation(int c, int at) {
        int base = before(at);
        if (base < 0 || CharacterClass.of(base) != CharacterClass.VISIBLE) {
            return false;
        }
        if (c == 0xfe0e || c == 0xfe0f) {
            return Character.isEmoji(base) && (base > 0x7f || after(at) == KEYCAP)
                    || base >= 0x2000 && base <= 0x33ff;
        }
        UnicodeScript script = UnicodeScript.of(base);
        return script == UnicodeScript.HAN
                || script == UnicodeScript.MONGOLIAN
                || c <= 0xfe0d && base >= 0x2200 && base <= 0x22ff;
    }

    private boolean joinsEmoji(int at) {
        int before = before(at);
        int place = at;
        while (before >= 0 && (before == 0xfe0f || Character.isEmojiModifier(before))) {
            place -= Character.charCount(before);
            before = before(place);
        }
        return before > 0x7f
                && Character.isExtendedPictographic(before)
                && Character.isExtendedPictographic(Math.max(0, after(at)));
    }

    /** Returns the length of the emoji of a flag whose tags begin here; 0 if there is none. */
    public int flagTags(int at) {
        if (before(at) != 0x1f3f4) {
            return 0;
        }
        int end = at;
        while (end < text.length() && end - at < 16) {
            int c = Character.codePointAt(text, end);
            end += Character.charCount(c);
            if (c == 0xe007f) {
                return end - at;
            }
            if (CharacterClass.of(c) != CharacterClass.TAG) {
                return 0;
            }
        }
        return 0;
    }

    private static boolean isIn(Set<UnicodeScript> scripts, int c) {
        return c >= 0 && scripts.contains(UnicodeScript.of(c));
    }

    private static boolean hasRightToLeft(CharSequence text) {
        for (int i = 0; i < text.length(); ) {
            int c = Character.codePointAt(text, i);
            if (isRightToLeft(c)) {
                return true;
            }
            i += Character.charCount(c);
        }
        return false;
    }

    private static boolean isRightToLeft(int c) {
        if (c < 0x590) {
            return false;
        }
        byte direction = Character.getDirectionality(c);
        return direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT
                || direction == Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC;
    }

    private int before(int at) {
        return at > 0 ? Character.codePointBefore(text, at) : -1;
    }

    private int after(int at) {
        int next = at + Character.charCount(Character.codePointAt(text, at));
        return next < text.length() ? Character.codePointAt(text, next) : -1;
    }
}
