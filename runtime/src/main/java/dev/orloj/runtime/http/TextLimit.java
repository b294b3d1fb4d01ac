package dev.orloj.runtime.http;

/**
 * The maximum length of a part of a request. Checked while the part grows, because a template may
 * have a long argument in many places.
 *
 * @param part for the message
 * @param most in characters
 */
record TextLimit(String part, int most) {

    /** For texts whose arguments are limited elsewhere. */
    static final TextLimit NONE = new TextLimit("the text", Integer.MAX_VALUE);

    /**
     * @throws UnfitArgumentsException when the part is longer
     */
    void check(int length) throws UnfitArgumentsException {
        if (length > most) {
            throw UnfitArgumentsException.invalid(
                    "", "must be shorter: %s may have at most %d characters".formatted(part, most));
        }
    }
}
