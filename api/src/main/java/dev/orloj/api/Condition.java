package dev.orloj.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * One observation about a resource, as defined by the Kubernetes API conventions.
 *
 * @param type what is observed, such as {@code Ready}; unique within a resource
 * @param reason CamelCase, for machines; never empty
 * @param message one plain sentence for people, stable while nothing changes, without secrets
 * @param lastTransitionTime when {@code status} last changed; null until {@link Conditions} sets it
 * @param observedGeneration the generation that was observed; 0 until {@link Conditions} sets it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Condition(
        String type,
        Status status,
        String reason,
        String message,
        @Nullable Instant lastTransitionTime,
        long observedGeneration) {

    /** Absence of evidence is {@link #UNKNOWN}, never {@link #TRUE}. */
    public enum Status {
        @JsonProperty("True")
        TRUE,
        @JsonProperty("False")
        FALSE,
        @JsonProperty("Unknown")
        UNKNOWN
    }

    public static Condition isTrue(String type, String reason, String message) {
        return new Condition(type, Status.TRUE, reason, message, null, 0);
    }

    public static Condition isFalse(String type, String reason, String message) {
        return new Condition(type, Status.FALSE, reason, message, null, 0);
    }

    public static Condition unknown(String type, String reason, String message) {
        return new Condition(type, Status.UNKNOWN, reason, message, null, 0);
    }

    /** Returns the same condition for another generation than the observed one. */
    public Condition ofGeneration(long generation) {
        return new Condition(type, status, reason, message, lastTransitionTime, generation);
    }

    Condition observed(long generation, @Nullable Instant transition) {
        return new Condition(type, status, reason, message, transition, generation);
    }
}
