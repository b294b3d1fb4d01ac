package dev.orloj.cli.apply;

import java.util.Optional;

/** What an apply did to a resource. */
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

    /** The word for people. */
    public String word() {
        return word;
    }

    /** As the server names it in the response header, or as its status code implies. */
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

    /** The effect of two applies of the same document, one after the other. */
    Effect then(Effect next) {
        return this == UNCHANGED ? next : this;
    }
}
