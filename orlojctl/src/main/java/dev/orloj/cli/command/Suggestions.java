package dev.orloj.cli.command;

import dev.orloj.api.spelling.NearMiss;

import java.util.Collection;
import java.util.Optional;

/** Suggests corrections of mistyped words. */
public final class Suggestions {

    private Suggestions() {}

    /** Returns the closest candidate, if it is close enough to be the intended word. */
    public static Optional<String> closest(String word, Collection<String> candidates) {
        return NearMiss.of(word, candidates);
    }

    /** Returns a question for the end of a message; empty without a close candidate. */
    public static String question(String word, Collection<String> candidates) {
        return closest(word, candidates).map("; did you mean \"%s\"?"::formatted).orElse("");
    }
}
