package dev.orloj.api.character;

/** Why a character is not seen. */
public enum CharacterClass {
    VISIBLE,
    /** U+E0000 to U+E007F: a copy of ASCII that nothing shows. */
    TAG,
    /** Overrides, embeddings and isolates: they reorder what is shown. */
    BIDI,
    /** Marks of direction, which reorder only their neighbours. */
    BIDI_MARK,
    INVISIBLE,
    VARIATION,
    PRIVATE_USE,
    CONTROL;

    /** Returns the class of a code point; half of a surrogate pair is {@link #CONTROL}. */
    public static CharacterClass of(int c) {
        if (c < 0x7f) {
            return c >= ' ' || c == '\n' || c == '\t' || c == '\r' ? VISIBLE : CONTROL;
        }
        if (c <= 0x9f || c >= 0xd800 && c <= 0xdfff) {
            return CONTROL;
        }
        if (c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069) {
            return BIDI;
        }
        if (c == 0x200e || c == 0x200f || c == 0x061c) {
            return BIDI_MARK;
        }
        if (c >= 0xfe00 && c <= 0xfe0f || c >= 0xe0100 && c <= 0xe01ef) {
            return VARIATION;
        }
        if (c >= 0xe0000 && c <= 0xe007f) {
            return TAG;
        }
        if (Character.getType(c) == Character.PRIVATE_USE) {
            return PRIVATE_USE;
        }
        return isInvisible(c) ? INVISIBLE : VISIBLE;
    }

    private static boolean isInvisible(int c) {
        return switch (c) {
            case 0x00ad, 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x3164, 0xfeff, 0xffa0 ->
                    true;
            default ->
                    c >= 0x200b && c <= 0x200d
                            || c >= 0x2060 && c <= 0x2065
                            || c >= 0x206a && c <= 0x206f
                            || c >= 0xfff9 && c <= 0xfffb
                            || c >= 0xe0080 && c <= 0xe0fff
                            || c >= 0x1d173 && c <= 0x1d17a;
        };
    }
}
