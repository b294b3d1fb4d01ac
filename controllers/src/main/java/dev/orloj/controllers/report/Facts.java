package dev.orloj.controllers.report;

import dev.orloj.api.report.Finding;
import dev.orloj.runtime.report.DefinitionReport;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.definition.SessionKey;

import java.time.Duration;
import java.util.Optional;

/**
 * What the sessions of one key showed. Empty values are not known yet.
 *
 * @param start how long the latest session took to open
 * @param noisy whether a session wrote to stdout what is no message
 * @param obeyedEof whether the latest session ended with its stdin
 * @param stableOrder whether the latest two lists had one order
 * @param revision as negotiated
 * @param definitions of the latest list
 * @param listFailure why there is no latest list
 */
record Facts(
        SessionKey key,
        Optional<Duration> start,
        Optional<Boolean> noisy,
        Optional<Boolean> obeyedEof,
        Optional<Boolean> stableOrder,
        String revision,
        Optional<DefinitionReport> definitions,
        Optional<Finding> listFailure) {

    static Facts of(SessionKey key) {
        return new Facts(
                key,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty());
    }

    Facts opened(SessionInfo session, Optional<Duration> took) {
        return new Facts(
                session.key(),
                took.or(() -> start),
                noisy(session),
                obeyedEof,
                stableOrder,
                session.protocolVersion(),
                definitions,
                listFailure);
    }

    Facts listed(SessionInfo session, DefinitionReport latest) {
        return new Facts(
                session.key(),
                start,
                noisy(session),
                obeyedEof,
                order(latest),
                session.protocolVersion(),
                Optional.of(latest),
                Optional.empty());
    }

    private Optional<Boolean> order(DefinitionReport latest) {
        if (definitions.isEmpty() || !latest.hasToolsOf(definitions.get())) {
            return stableOrder;
        }
        return Optional.of(!latest.isReorderingOf(definitions.get()));
    }

    Facts notListed(SessionInfo session, Finding failure) {
        return new Facts(
                session.key(),
                start,
                noisy(session),
                obeyedEof,
                stableOrder,
                session.protocolVersion(),
                definitions,
                Optional.of(failure));
    }

    Facts closed(SessionInfo session) {
        return new Facts(
                key,
                start,
                Optional.of(session.noiseLines() > 0),
                session.obeyedEof().or(() -> obeyedEof),
                stableOrder,
                revision,
                definitions,
                listFailure);
    }

    /** A session that is open may still write something. */
    private Optional<Boolean> noisy(SessionInfo session) {
        return session.noiseLines() > 0 ? Optional.of(true) : noisy;
    }
}
