package dev.orloj.controllers.policy;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;

/**
 * What a policy does not allow. Two refusals are equal if the same policy refuses the same value
 * for the same reason.
 *
 * @param policy its name
 * @param value all of what was refused: a command has its arguments
 * @param why with the remedy
 */
public record Refusal(String policy, FieldPath field, String value, String why) {

    /** Returns the refusal as a sentence for a condition. */
    String text() {
        return "McpServerPolicy \"%s\" does not allow %s \"%s\": %s"
                .formatted(policy, field, value, why);
    }

    /** Returns the refusal as an error of the field. */
    public FieldError toError() {
        return FieldError.invalid(
                field,
                value,
                "is forbidden: McpServerPolicy \"%s\" denied request: %s".formatted(policy, why));
    }
}
