package dev.orloj.api.findings;

import com.fasterxml.jackson.annotation.JsonProperty;

import dev.orloj.api.report.Severity;

/** How bad a finding about a definition is, the worst first. */
public enum FindingSeverity {
    /** Text that is hidden and that can be read by a model. */
    @JsonProperty("Critical")
    CRITICAL(Severity.ERROR, "9.5"),
    /** What honest definitions hardly ever have. */
    @JsonProperty("High")
    HIGH(Severity.ERROR, "8.0"),
    /** What a person should look at. */
    @JsonProperty("Medium")
    MEDIUM(Severity.WARNING, "5.0"),
    /** Good to know; honest definitions have it too. */
    @JsonProperty("Low")
    LOW(Severity.NOTE, "2.0");

    private final Severity inReport;
    private final String score;

    FindingSeverity(Severity inReport, String score) {
        this.inReport = inReport;
        this.score = score;
    }

    /** Returns the severity of the report card, which has three. */
    public Severity inReport() {
        return inReport;
    }

    /** Returns the score from 0 to 10 that code scanning sorts by. */
    public String score() {
        return score;
    }

    /** Returns whether this is as bad as the other one, or worse. */
    public boolean reaches(FindingSeverity other) {
        return compareTo(other) <= 0;
    }

    /** Returns the severity of text that is quoted or described instead of said. */
    FindingSeverity softened() {
        return this == CRITICAL ? MEDIUM : LOW;
    }
}
