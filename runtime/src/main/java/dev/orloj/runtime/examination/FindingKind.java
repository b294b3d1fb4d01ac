package dev.orloj.runtime.examination;

import java.util.Locale;

/** What a result can have that it should not have. */
public enum FindingKind {
    /** Characters that are not shown, and that no script or emoji needs. */
    INVISIBLE("invisible characters"),
    /** Controls that change the order in which text is shown. */
    BIDIRECTIONAL("bidirectional controls"),
    /** Escape sequences and control characters of terminals. */
    ESCAPE("terminal escapes"),
    /** An image or a link of Markdown or HTML whose query carries data. */
    DATA_LINK("links that carry data"),
    /** A text in the form of a known kind of credential. */
    SECRET("secrets"),
    /** The result was too large or too deep to be examined as a whole. */
    NOT_EXAMINED("more text than is examined");

    private final String words;

    FindingKind(String words) {
        this.words = words;
    }

    /** Returns the name of the kind in notes and metrics. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the kind in words, for a sentence. */
    String words() {
        return words;
    }
}
