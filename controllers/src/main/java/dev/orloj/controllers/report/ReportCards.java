package dev.orloj.controllers.report;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.report.Check;
import dev.orloj.api.report.Finding;
import dev.orloj.api.report.Report;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.runtime.report.DefinitionReport;
import dev.orloj.runtime.report.ExaminedDefinitions;
import dev.orloj.runtime.report.SessionChecks;
import dev.orloj.runtime.session.SessionInfo;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.UnaryOperator;

/**
 * Records what the sessions of each server show, and makes the report card of it. What is not known
 * yet, after a restart of orlojd, stays as the report says, as long as the manifest is the same.
 * Thread-safe.
 */
public final class ReportCards {

    private static final Set<Check> OF_START = EnumSet.of(Check.START_SLOW);
    private static final Set<Check> OF_STDOUT = EnumSet.of(Check.STDOUT_NOISE);
    private static final Set<Check> OF_END = EnumSet.of(Check.EOF_IGNORED);
    private static final Set<Check> OF_ORDER = EnumSet.of(Check.LIST_ORDER_UNSTABLE);

    private final ConcurrentMap<ResourceKey, Facts> known = new ConcurrentHashMap<>();

    /** Records that a session was opened. One of another key begins a new card. */
    public void opened(ResourceKey server, SessionInfo session, Optional<Duration> took) {
        known.compute(server, (_, facts) -> ofKey(facts, session).opened(session, took));
    }

    private static Facts ofKey(@Nullable Facts facts, SessionInfo session) {
        return facts != null && facts.key().equals(session.key()) ? facts : Facts.of(session.key());
    }

    /** Records that a session listed its tools. */
    public void listed(ResourceKey server, SessionInfo session, DefinitionReport definitions) {
        known.compute(server, (_, facts) -> ofKey(facts, session).listed(session, definitions));
    }

    /** Returns what was found in the definitions of the latest list. */
    public ExaminedDefinitions examined(ResourceKey server) {
        Facts facts = known.get(server);
        return facts == null
                ? ExaminedDefinitions.NONE
                : facts.definitions()
                        .map(DefinitionReport::examined)
                        .orElse(ExaminedDefinitions.NONE);
    }

    /** Records that the tools of a session could not be listed. */
    public void notListed(ResourceKey server, SessionInfo session, String why) {
        Finding failure = Finding.of(Check.LIST_FAILED, why);
        known.compute(server, (_, facts) -> ofKey(facts, session).notListed(session, failure));
    }

    /** Records that a session was closed; one that was replaced by another key does not count. */
    public void closed(ResourceKey server, SessionInfo session) {
        known.computeIfPresent(
                server,
                (_, facts) -> facts.key().equals(session.key()) ? facts.closed(session) : facts);
    }

    /** Drops the card of a server that is gone. */
    public void forget(ResourceKey server) {
        known.remove(server);
    }

    /**
     * Returns the status with the report card, or the same status if the card says the same.
     *
     * @param server with the status before
     * @param withoutSecrets removes values that must not be shown
     */
    public McpServerStatus addTo(
            McpServerStatus status,
            McpServer server,
            Instant now,
            UnaryOperator<String> withoutSecrets) {
        Facts facts = known.get(server.key());
        if (facts == null || !facts.key().serverUid().equals(server.metadata().uid())) {
            return status;
        }
        Report before = status.report();
        Report carried = before != null && isCarried(before, facts, server) ? before : null;
        if (facts.definitions().isEmpty() && facts.listFailure().isEmpty() && carried == null) {
            return status;
        }
        Report next = report(facts, carried, withoutSecrets, now.truncatedTo(ChronoUnit.SECONDS));
        McpServerStatus examined =
                facts.definitions()
                        .map(report -> report.examined().summary().mapTexts(withoutSecrets))
                        .map(
                                findings ->
                                        DefinitionStatus.with(
                                                status, findings, facts.key().generation(), now))
                        .orElse(status);
        boolean isListed = !Objects.equals(status.lastSyncedAt(), server.status().lastSyncedAt());
        return before != null && !isListed && next.saysTheSameAs(before)
                ? examined
                : examined.toBuilder().report(next).build();
    }

    /** Whether the report before speaks of the same program. */
    private static boolean isCarried(Report before, Facts facts, McpServer server) {
        return before.observedGeneration() == facts.key().generation()
                && server.status().observedRestart().equals(server.restartedAt());
    }

    private static Report report(
            Facts facts,
            @Nullable Report before,
            UnaryOperator<String> withoutSecrets,
            Instant now) {
        List<Finding> findings = new ArrayList<>();
        add(findings, facts.start().map(SessionChecks::start), before, OF_START);
        add(findings, facts.noisy().map(SessionChecks::noise), before, OF_STDOUT);
        add(findings, facts.obeyedEof().map(SessionChecks::end), before, OF_END);
        add(findings, facts.stableOrder().map(SessionChecks::order), before, OF_ORDER);
        facts.listFailure().ifPresent(findings::add);
        Set<Check> ofLists = EnumSet.allOf(Check.class);
        List.of(OF_START, OF_STDOUT, OF_END, OF_ORDER).forEach(ofLists::removeAll);
        if (facts.definitions().isPresent()) {
            findings.addAll(facts.definitions().get().findings());
            SessionChecks.revision(facts.revision()).ifPresent(findings::add);
        } else if (facts.listFailure().isEmpty()) {
            addFrom(before, ofLists, findings);
        }
        long tokens =
                facts.definitions()
                        .map(DefinitionReport::tokens)
                        .orElse(before == null ? 0L : before.definitionTokens());
        return new Report(
                now,
                facts.key().generation(),
                tokens,
                findings.stream()
                        .map(f -> f.withMessage(withoutSecrets.apply(f.message())))
                        .toList());
    }

    /** Adds the result of a check, or what the report before says if there is none. */
    private static void add(
            List<Finding> findings,
            Optional<Optional<Finding>> result,
            @Nullable Report before,
            Set<Check> checks) {
        if (result.isPresent()) {
            result.get().ifPresent(findings::add);
        } else {
            addFrom(before, checks, findings);
        }
    }

    private static void addFrom(@Nullable Report before, Set<Check> checks, List<Finding> target) {
        if (before != null) {
            before.findings().stream()
                    .filter(finding -> checks.stream().anyMatch(finding::isOf))
                    .forEach(target::add);
        }
    }
}
