package dev.orloj.controllers.events;

import dev.orloj.runtime.workload.SecretValues;

import java.util.Collection;
import java.util.regex.Pattern;

/** Formats a text of unknown origin for the message of a condition or an event. */
public final class ConditionMessage {

    private static final int LONGEST = 1_000;
    private static final Pattern BLANKS = Pattern.compile("[\\s\\p{Cntrl}]+");
    private static final Pattern TAIL = Pattern.compile("[.\\s]+$");

    private ConditionMessage() {}

    /**
     * Returns the text on one line, with a limited length, without a period at the end, and never
     * empty.
     */
    public static String of(String text) {
        String line = BLANKS.matcher(text).replaceAll(" ").strip();
        String cut = line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
        String bare = TAIL.matcher(cut).replaceAll("");
        return bare.isEmpty() ? "No reason was given" : bare;
    }

    /**
     * Replaces values that must not be shown. Ignores very short values: replacing them would
     * remove half of the text, and they are no secret.
     */
    public static String without(Collection<String> secrets, String text) {
        return SecretValues.of(secrets).hide(text);
    }
}
