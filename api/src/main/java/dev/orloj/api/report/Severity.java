package dev.orloj.api.report;

import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.Locale;

/** How bad a finding is, the worst first. */
public enum Severity {
    /** The server cannot be used, or not as its manifest says. */
    @JsonProperty("Error")
    ERROR,
    /** The server works, and something of it will cause trouble. */
    @JsonProperty("Warning")
    WARNING,
    /** Good to know. */
    @JsonProperty("Note")
    NOTE;

    /** Returns the word of SARIF: {@code error}, {@code warning} or {@code note}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether this is as bad as the other one, or worse. */
    public boolean reaches(Severity other) {
        return compareTo(other) <= 0;
    }
}
