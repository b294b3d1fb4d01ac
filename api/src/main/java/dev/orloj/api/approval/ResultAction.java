package dev.orloj.api.approval;

import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Comparator;
import java.util.stream.Stream;

/** What happens with the result of a call that has what it should not have. */
public enum ResultAction {
    /** Results are not examined. */
    @JsonProperty("off")
    OFF,
    /** The result passes with a note. */
    @JsonProperty("warn")
    WARN,
    /** What was found is removed. */
    @JsonProperty("strip")
    STRIP,
    /** An error replaces the result. */
    @JsonProperty("block")
    BLOCK;

    /** Returns the strictest of an action and those of the ToolPolicies that apply to a server. */
    public static @Nullable ResultAction strictest(
            String server, @Nullable ResultAction own, Collection<ToolPolicy> policies) {
        return Stream.concat(
                        Stream.ofNullable(own),
                        policies.stream()
                                .filter(policy -> !policy.metadata().isDeleting())
                                .filter(policy -> policy.selects(server))
                                .flatMap(policy -> Stream.ofNullable(policy.spec().resultPolicy())))
                .max(Comparator.naturalOrder())
                .orElse(null);
    }
}
