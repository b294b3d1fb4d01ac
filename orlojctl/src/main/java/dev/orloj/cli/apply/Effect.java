package dev.orloj.cli.apply;

import java.util.Optional;

/** The effect of an apply on a resource. */
public enum Effect {
    CREATED("created"),
    CONFIGURED("configured"),
    UNCHANGED("unchanged"),
    /** The server is too old to report what changed. */
    UNKNOWN("serverside-applied");

    private final String word;

    Effect(String word) {
        this.word = word;
    }

    /** Returns the word to display. */
    public String word() {
        return word;
    }

    /** Returns the effect that the response header names, or that the status code implies. */
    static Effect of(Optional<String> header, int status) {
        if (status == 201) {
            return CREATED;
        }
        return switch (header.orElse("")) {
            case "configured" -> CONFIGURED;
            case "unchanged" -> UNCHANGED;
            default -> UNKNOWN;
        };
    }

    /** Returns the combined effect of two consecutive applies of the same document. */
    Effect then(Effect next) {
        return this == UNCHANGED ? next : this;
    }
}
