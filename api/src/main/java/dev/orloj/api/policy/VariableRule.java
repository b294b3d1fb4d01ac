package dev.orloj.api.policy;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Which environment variables servers and Sandboxes may have.
 *
 * @param names patterns, of which one has to match; null for any name
 * @param deniedNames patterns, of which none may match, compared without case
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(SnakeCaseStrategy.class)
public record VariableRule(@Nullable List<String> names, @Nullable List<String> deniedNames) {

    public VariableRule {
        names = names == null ? null : List.copyOf(names);
        deniedNames = deniedNames == null ? null : List.copyOf(deniedNames);
    }

    /** Returns why a variable of this name is not allowed; empty if it is. */
    public Optional<String> objection(String variable) {
        if (deniedNames != null) {
            String name = variable.toLowerCase(Locale.ROOT);
            for (String denied : deniedNames) {
                if (Glob.matchesAny(denied.toLowerCase(Locale.ROOT), name)) {
                    return Optional.of("variables \"%s\" are denied: remove it".formatted(denied));
                }
            }
        }
        return names == null || names.stream().anyMatch(name -> Glob.matchesAny(name, variable))
                ? Optional.empty()
                : Optional.of(
                        "allowed variables: %s; remove it".formatted(String.join(", ", names)));
    }
}
