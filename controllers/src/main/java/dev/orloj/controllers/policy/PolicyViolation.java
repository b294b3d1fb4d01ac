package dev.orloj.controllers.policy;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;

import java.util.regex.Pattern;

/**
 * What a policy does not allow.
 *
 * @param policy its name
 * @param value all of what was refused: a command has its arguments
 * @param why with the remedy
 */
public record PolicyViolation(String policy, FieldPath field, String value, String why) {

    private static final Pattern INDEX = Pattern.compile("\\[[0-9]+]");

    /**
     * Returns a text that is the same for every violation of the same value for the same reason,
     * wherever it is in a list.
     */
    public String identity() {
        String place = INDEX.matcher(field.toString()).replaceAll("[]");
        return String.join("\0", policy, place, value, why);
    }

    /** Returns the violation as a sentence for a condition. */
    String text() {
        return "McpServerPolicy \"%s\" does not allow %s \"%s\": %s"
                .formatted(policy, field, value, why);
    }

    /** Returns the violation as an error of the field. */
    public FieldError toError() {
        return FieldError.invalid(
                field,
                value,
                "is forbidden: McpServerPolicy \"%s\" denied request: %s".formatted(policy, why));
    }
}
