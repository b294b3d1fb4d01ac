package dev.orloj.api.report;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * Something that a check found.
 *
 * @param id of the {@link Check}, in kebab-case
 * @param field the field of the manifest; empty for a finding about the server itself
 * @param message what was found where, at most {@link #LONGEST} characters
 * @param remedy what to do
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Finding(String id, Severity severity, String field, String message, String remedy) {

    /** The maximum length of a message, and of a remedy. */
    public static final int LONGEST = 1_000;

    public Finding {
        id = id == null ? "" : id;
        severity = severity == null ? Severity.NOTE : severity;
        field = field == null ? "" : field;
        message = cut(message == null ? "" : message);
        remedy = cut(remedy == null ? "" : remedy);
    }

    /** Returns a finding about the server itself, with the remedy of the check. */
    public static Finding of(Check check, String message) {
        return at(check, "", message);
    }

    /** Returns a finding about a field of the manifest, with the remedy of the check. */
    public static Finding at(Check check, String field, String message) {
        return new Finding(check.id(), check.severity(), field, message, check.remedy());
    }

    public Finding withMessage(String replacement) {
        return new Finding(id, severity, field, replacement, remedy);
    }

    public Finding withSeverity(Severity replacement) {
        return new Finding(id, replacement, field, message, remedy);
    }

    /** Returns whether it is a finding of this check. */
    public boolean isOf(Check check) {
        return id.equals(check.id());
    }

    private static String cut(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }
}
