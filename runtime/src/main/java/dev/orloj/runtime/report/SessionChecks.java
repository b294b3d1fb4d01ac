package dev.orloj.runtime.report;

import dev.orloj.api.report.Check;
import dev.orloj.api.report.Finding;
import dev.orloj.runtime.transport.ProtocolRevision;

import java.time.Duration;
import java.util.Optional;

/** Checks of what a session shows about its server. Messages are the same each time. */
public final class SessionChecks {

    static final Duration SLOW_START = Duration.ofSeconds(10);

    private SessionChecks() {}

    /**
     * @param took from the start of the process to the end of the negotiation
     */
    public static Optional<Finding> start(Duration took) {
        return took.compareTo(SLOW_START) > 0
                ? Optional.of(
                        Finding.of(
                                Check.START_SLOW,
                                "The server took %,d s to start and to answer"
                                        .formatted(took.toSeconds())))
                : Optional.empty();
    }

    public static Optional<Finding> noise(boolean noisy) {
        return noisy
                ? Optional.of(
                        Finding.of(
                                Check.STDOUT_NOISE,
                                "The server wrote lines to its standard output that are not"
                                        + " messages; they were skipped"))
                : Optional.empty();
    }

    public static Optional<Finding> end(boolean obeyedEof) {
        return obeyedEof
                ? Optional.empty()
                : Optional.of(
                        Finding.of(
                                Check.EOF_IGNORED,
                                "The server ran on after its standard input was closed, and was"
                                        + " ended by a signal"));
    }

    public static Optional<Finding> order(boolean stable) {
        return stable
                ? Optional.empty()
                : Optional.of(
                        Finding.of(
                                Check.LIST_ORDER_UNSTABLE,
                                "The server listed the same tools in another order than before"));
    }

    /**
     * @param version as negotiated
     */
    public static Optional<Finding> revision(String version) {
        return ProtocolRevision.of(version)
                .filter(revision -> revision.compareTo(ProtocolRevision.V2025_06_18) < 0)
                .map(
                        revision ->
                                Finding.of(
                                        Check.REVISION_OLD,
                                        "The server speaks revision %s of MCP"
                                                .formatted(revision)));
    }
}
