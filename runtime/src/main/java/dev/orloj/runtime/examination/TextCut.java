package dev.orloj.runtime.examination;

/** Leaves spans out of a text, or puts something in their place. For one thread. */
final class TextCut {

    private final CharSequence text;
    private final StringBuilder rest = new StringBuilder();
    private int copied;

    TextCut(CharSequence text) {
        this.text = text;
    }

    /** Replaces a span that begins at or after the end of the one before. */
    void replace(int start, int end, String replacement) {
        rest.append(text, copied, start).append(replacement);
        copied = end;
    }

    /** Returns what is left, which is the text itself if no span was replaced. */
    CharSequence rest() {
        if (copied == 0) {
            return text;
        }
        rest.append(text, copied, text.length());
        copied = text.length();
        return rest;
    }
}
