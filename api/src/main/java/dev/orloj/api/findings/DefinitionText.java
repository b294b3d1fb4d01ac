package dev.orloj.api.findings;

/**
 * A text of a definition.
 *
 * @param pointer JSON Pointer to it; for a name of a member, to the member
 * @param text at most {@link DefinitionTexts#MAX_LENGTH} characters
 */
record DefinitionText(String pointer, Role role, String text) {

    /** What a text is for. */
    enum Role {
        /** A name or title by which the subject is chosen. */
        NAME,
        /** The name of a member, such as an argument. */
        MEMBER,
        /** Text in sentences. */
        PROSE,
        /** A default, an enumerated value, or any other value. */
        VALUE,
        /** An address of an icon, which has rules of its own. */
        ICON;

        /** Returns whether people and models compare it as a whole. */
        boolean isName() {
            return this == NAME || this == MEMBER;
        }
    }
}
