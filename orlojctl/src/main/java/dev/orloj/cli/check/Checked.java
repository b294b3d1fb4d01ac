package dev.orloj.cli.check;

import dev.orloj.api.codec.Manifest;
import dev.orloj.api.report.Finding;
import dev.orloj.api.report.Report;
import dev.orloj.api.report.Severity;

import java.util.List;
import java.util.Optional;

/**
 * A resource that was checked.
 *
 * @param name for people, such as {@code default/github}
 * @param manifest the place in a file; empty for a stored server
 */
record Checked(String name, Optional<Manifest> manifest, Report report) {

    List<Finding> findings() {
        return report.findings();
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
