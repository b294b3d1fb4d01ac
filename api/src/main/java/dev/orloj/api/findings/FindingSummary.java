package dev.orloj.api.findings;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.CanonicalJson;

import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The findings about all definitions of a server: how many of each severity, and the worst.
 *
 * @param examined how many definitions were examined
 * @param digest of all findings, also of those that are not among the worst; empty if there are
 *     none
 * @param worst the worst first, at most {@link #MAX_WORST}
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record FindingSummary(
        int examined,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int critical,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int high,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int medium,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int low,
        String digest,
        List<DefinitionFinding> worst) {

    /** The most findings that a summary has. */
    public static final int MAX_WORST = 20;

    public FindingSummary {
        digest = digest == null ? "" : digest;
        worst = worst == null ? List.of() : worst.stream().limit(MAX_WORST).toList();
    }

    /**
     * @param examined how many definitions were examined
     * @param findings about them, in any order
     */
    public static FindingSummary of(int examined, Collection<DefinitionFinding> findings) {
        List<DefinitionFinding> sorted =
                findings.stream().sorted(DefinitionFinding.WORST_FIRST).toList();
        String digest =
                sorted.isEmpty() ? "" : CanonicalJson.digest(Json.MAPPER.valueToTree(sorted));
        return new FindingSummary(
                examined,
                count(sorted, FindingSeverity.CRITICAL),
                count(sorted, FindingSeverity.HIGH),
                count(sorted, FindingSeverity.MEDIUM),
                count(sorted, FindingSeverity.LOW),
                digest,
                sorted);
    }

    private static int count(List<DefinitionFinding> findings, FindingSeverity severity) {
        return (int) findings.stream().filter(f -> f.severity() == severity).count();
    }

    /** Returns the number of findings, also of those that are not among the worst. */
    public int count() {
        return critical + high + medium + low;
    }

    /** Returns whether a finding is of this severity or worse. */
    public boolean reaches(FindingSeverity severity) {
        return !worst.isEmpty() && worst.getFirst().severity().reaches(severity);
    }

    /** Returns the counts for people, such as {@code 1 critical, 2 low}. */
    public String counts() {
        StringBuilder text = new StringBuilder();
        append(critical, "critical", text);
        append(high, "high", text);
        append(medium, "medium", text);
        append(low, "low", text);
        return text.isEmpty() ? "none" : text.toString();
    }

    private static void append(int count, String severity, StringBuilder text) {
        if (count > 0) {
            text.append(text.isEmpty() ? "" : ", ").append("%,d %s".formatted(count, severity));
        }
    }

    /** Returns the summary with other texts, such as without the values of Secrets. */
    public FindingSummary mapTexts(UnaryOperator<String> change) {
        return new FindingSummary(
                examined,
                critical,
                high,
                medium,
                low,
                digest,
                worst.stream().map(finding -> finding.mapTexts(change)).toList());
    }
}
