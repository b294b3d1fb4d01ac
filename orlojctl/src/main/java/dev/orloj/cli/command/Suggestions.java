package dev.orloj.cli.command;

import dev.orloj.api.spelling.NearMiss;

import java.util.Collection;
import java.util.Optional;

/** Guesses what a mistyped word was meant to be. */
public final class Suggestions {

    private Suggestions() {}

    /** The candidate that differs least, if that is little enough to be what was meant. */
    public static Optional<String> closest(String word, Collection<String> candidates) {
        return NearMiss.of(word, candidates);
    }
}
