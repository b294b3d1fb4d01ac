package dev.orloj.api.pod;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

/**
 * A taint of nodes that a Pod tolerates, as in Kubernetes. Empty fields are absent.
 *
 * @param key empty for all taints, with the operator {@code Exists}
 * @param operator {@code Equal} if empty
 * @param effect empty for all effects
 * @param tolerationSeconds null for any time
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Toleration(
        String key,
        String operator,
        String value,
        String effect,
        @Nullable Long tolerationSeconds) {

    public Toleration {
        key = orEmpty(key);
        operator = orEmpty(operator);
        value = orEmpty(value);
        effect = orEmpty(effect);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
