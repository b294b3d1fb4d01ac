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
public record Refusal(String policy, FieldPath field, String value, String why) {

    private static final Pattern INDEX = Pattern.compile("\\[[0-9]+]");

    /**
     * Returns whether the other refuses the same value for the same reason, at another place of a
     * list perhaps.
     */
    public boolean repeats(Refusal other) {
        return policy.equals(other.policy)
                && value.equals(other.value)
                && why.equals(other.why)
                && place().equals(other.place());
    }

    private String place() {
        return INDEX.matcher(field.toString()).replaceAll("[]");
    }

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
