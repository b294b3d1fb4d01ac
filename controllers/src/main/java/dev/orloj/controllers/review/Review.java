package dev.orloj.controllers.review;

import dev.orloj.api.findings.FindingSummary;
import dev.orloj.api.report.Finding;
import dev.orloj.api.report.Report;

import java.util.List;
import java.util.Optional;

/**
 * The result of a review.
 *
 * @param findings about definitions; empty if none was listed
 */
public record Review(Report report, Optional<FindingSummary> findings) {

    /** Returns the review with other findings in the report. */
    public Review withFindings(List<Finding> replacement) {
        return new Review(report.withFindings(replacement), findings);
    }
}
