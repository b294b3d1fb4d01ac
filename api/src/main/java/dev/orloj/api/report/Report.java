package dev.orloj.api.report;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * The report card of a server.
 *
 * @param takenAt when it was taken, or last changed
 * @param observedGeneration the generation of the manifest that it speaks of
 * @param definitionTokens about how many tokens the definitions of the tools cost an agent
 * @param findings the worst first; at most {@link #MAX_FINDINGS}
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Report(
        @Nullable Instant takenAt,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long observedGeneration,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long definitionTokens,
        List<Finding> findings) {

    /** The maximum number of findings; each check has one, whatever the number of tools. */
    public static final int MAX_FINDINGS = 40;

    private static final Comparator<Finding> ORDER =
            Comparator.comparing(Finding::severity)
                    .thenComparing(Finding::id)
                    .thenComparing(Finding::field);

    public Report {
        findings =
                findings == null
                        ? List.of()
                        : findings.stream().sorted(ORDER).limit(MAX_FINDINGS).toList();
    }

    /** Returns whether both say the same, whenever they were taken. */
    public boolean saysTheSameAs(Report other) {
        return observedGeneration == other.observedGeneration
                && definitionTokens == other.definitionTokens
                && findings.equals(other.findings);
    }

    public Report withFindings(List<Finding> replacement) {
        return new Report(takenAt, observedGeneration, definitionTokens, replacement);
    }
}
