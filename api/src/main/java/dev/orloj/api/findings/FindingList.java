package dev.orloj.api.findings;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Collects the findings about one definition, within bounds. Not thread-safe. */
final class FindingList {

    /** The most findings of one rule. */
    static final int MAX_OF_RULE = 5;

    /** Beyond these only a worse one counts, so that mild ones cannot crowd it out. */
    private static final int MAX_KEPT = 50;

    private final String subject;
    private final Map<FindingRule, List<DefinitionFinding>> findings =
            new EnumMap<>(FindingRule.class);

    FindingList(Definition definition) {
        this.subject = definition.subject();
    }

    /** Adds a finding of the usual severity about a span. */
    void add(FindingRule rule, DefinitionText text, int start, int end, String message) {
        add(rule, rule.severity(), text, start, end, message);
    }

    /** Adds a finding about a span. What several phrases of a rule match is one finding. */
    void add(
            FindingRule rule,
            FindingSeverity severity,
            DefinitionText text,
            int start,
            int end,
            String message) {
        List<DefinitionFinding> found = findings.computeIfAbsent(rule, _ -> new ArrayList<>());
        String where = Excerpt.escape(text.pointer());
        Predicate<DefinitionFinding> isSame =
                f -> f.where().equals(where) && f.offset() == start && f.length() == end - start;
        boolean isSpan = end > start;
        if (isSpan && found.stream().filter(isSame).anyMatch(f -> f.severity().reaches(severity))) {
            return;
        }
        if (isSpan) {
            found.removeIf(isSame);
        }
        if (found.size() < MAX_KEPT
                || found.stream().noneMatch(f -> f.severity().reaches(severity))) {
            found.add(
                    new DefinitionFinding(
                            rule.id(),
                            severity,
                            subject,
                            where,
                            start,
                            end - start,
                            Excerpt.of(text.text(), start, end),
                            message,
                            rule.remedy()));
        }
    }

    /** Adds a finding about a place as a whole. */
    void add(FindingRule rule, FindingSeverity severity, String pointer, String message) {
        add(
                rule,
                severity,
                new DefinitionText(pointer, DefinitionText.Role.VALUE, ""),
                0,
                0,
                message);
    }

    /** Returns the findings, the worst first. */
    List<DefinitionFinding> all() {
        return findings.values().stream()
                .flatMap(
                        found ->
                                found.stream()
                                        .sorted(DefinitionFinding.WORST_FIRST)
                                        .limit(MAX_OF_RULE))
                .sorted(DefinitionFinding.WORST_FIRST)
                .limit(DefinitionExaminer.MAX_FINDINGS)
                .toList();
    }
}
