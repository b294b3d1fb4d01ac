package dev.orloj.cli.check;

import dev.orloj.api.codec.Manifest;
import dev.orloj.api.findings.DefinitionFinding;
import dev.orloj.api.findings.FindingRule;
import dev.orloj.api.findings.FindingSummary;
import dev.orloj.api.report.Finding;
import dev.orloj.api.report.Report;
import dev.orloj.api.report.Severity;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A resource that was checked.
 *
 * @param name for people, such as {@code default/github}
 * @param manifest the place in a file; empty for a stored server
 * @param definitions what was found in the definitions of its tools; empty if none was listed
 */
record Checked(
        String name,
        Optional<Manifest> manifest,
        Report report,
        Optional<FindingSummary> definitions) {

    /** Returns all findings in the shape of those of the report, the worst first. */
    List<Finding> findings() {
        return Stream.concat(
                        report.findings().stream(),
                        definitionFindings().stream().map(Checked::inReport))
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
    }

    /** Returns the findings about definitions without those that the report has, too. */
    List<DefinitionFinding> definitionFindings() {
        return definitions.stream()
                .flatMap(found -> found.worst().stream())
                .filter(found -> !found.id().equals(FindingRule.REMOTE_REFERENCE.id()))
                .toList();
    }

    /** Returns how many findings about definitions there are besides. */
    int unshown() {
        return definitions.map(found -> found.count() - found.worst().size()).orElse(0);
    }

    private static Finding inReport(DefinitionFinding found) {
        String excerpt = found.excerpt().isEmpty() ? "" : ", in: " + found.excerpt();
        return new Finding(
                found.id(),
                found.severity().inReport(),
                "",
                "%s of %s: %s%s"
                        .formatted(found.where(), found.subject(), found.message(), excerpt),
                found.remedy());
    }

    long count(Severity severity) {
        return findings().stream().filter(f -> f.severity() == severity).count();
    }

    /** Returns the file; empty for a stored server. */
    Optional<String> file() {
        return manifest.map(Manifest::source);
    }

    /** Returns the line of a field in the file, or of the document. */
    int line(String field) {
        return manifest.map(m -> m.document().lineOf(field)).orElse(1);
    }
}
