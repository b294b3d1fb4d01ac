package dev.orloj.controllers.review;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.OfferedFeatures;
import dev.orloj.api.findings.FindingSummary;
import dev.orloj.api.findings.KnownTools;
import dev.orloj.api.report.Check;
import dev.orloj.api.report.Finding;
import dev.orloj.controllers.toolfilter.ToolSelection;
import dev.orloj.runtime.client.McpProtocolException;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.listing.ListingLimitException;
import dev.orloj.runtime.listing.ListingLimits;
import dev.orloj.runtime.listing.ToolListing;
import dev.orloj.runtime.report.DefinitionReport;
import dev.orloj.runtime.report.ExaminedDefinitions;
import dev.orloj.runtime.report.SessionChecks;
import dev.orloj.runtime.session.Session;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionListener;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.SessionOpenException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.session.lifecycle.SessionClosedException;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.TransportException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.JsonNodeFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Starts a server for a check, in a session as every other, and ends it. The session is one beside
 * those of the server: it serves no calls, and no listener but this one receives its events.
 */
final class Trial implements SessionListener {

    /** What a trial showed. */
    record Outcome(long tokens, List<Finding> findings, Optional<FindingSummary> definitions) {}

    /** The session has ended by then; only its last event may be on the way. */
    private static final Duration LAST_EVENT = Duration.ofSeconds(2);

    private final SessionManager own;
    private final ServerDefinition definition;
    private final ListingLimits limits;
    private final ToolSelection selection;
    private final KnownTools others;
    private final InstantSource clock;
    private final FutureTask<DefinitionReport> probe = new FutureTask<>(this::probe);
    private final CompletableFuture<SessionInfo> end = new CompletableFuture<>();
    private final List<Finding> findings = new ArrayList<>();
    private volatile @Nullable Instant startedAt;
    private volatile @Nullable Instant openedAt;
    private volatile Optional<Boolean> stableOrder = Optional.empty();
    private volatile String revision = "";

    Trial(
            SessionManager sessions,
            ServerDefinition definition,
            ListingLimits limits,
            ToolSelection selection,
            KnownTools others,
            InstantSource clock) {
        this.own = sessions.beside(this);
        this.definition = definition;
        this.limits = limits;
        this.selection = selection;
        this.others = others;
        this.clock = clock;
    }

    /** Ends the trial early; {@link #run} returns when the server has ended. */
    void cancel() {
        probe.cancel(true);
    }

    /**
     * Runs once, and returns when nothing is left of the server.
     *
     * @param timeout what the server has, without its end
     */
    Outcome run(Duration timeout) throws InterruptedException {
        long tokens = 0;
        Optional<FindingSummary> examined = Optional.empty();
        try {
            Thread.ofVirtual().name("orloj-trial-" + definition.server()).start(probe);
            DefinitionReport definitions = probe.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            tokens = definitions.tokens();
            findings.addAll(definitions.findings());
            examined = Optional.of(definitions.examined().summary());
        } catch (TimeoutException e) {
            probe.cancel(true);
            findings.add(Finding.of(Check.NOT_IN_TIME, late(timeout)));
        } catch (ExecutionException e) {
            findings.add(failure(Objects.requireNonNull(e.getCause())));
        } finally {
            own.close();
        }
        addWhatTheSessionShowed();
        return new Outcome(tokens, findings, examined);
    }

    private String late(Duration timeout) {
        return openedAt == null
                ? "The server did not answer within the %,d s of the check"
                        .formatted(timeout.toSeconds())
                : "The server answered, but did not list its tools within the %,d s of the check"
                        .formatted(timeout.toSeconds());
    }

    private DefinitionReport probe() throws InterruptedException {
        SessionRequest request =
                new SessionRequest(
                        "tools/list",
                        JsonNodeFactory.instance.objectNode(),
                        definition.timeouts().call(),
                        ProgressListener.NONE);
        return own.withSession(definition, request, this::list);
    }

    private DefinitionReport list(Session session) throws InterruptedException {
        revision = session.identity().protocolVersion();
        ToolListing first = session.discoverTools(limits);
        OfferedFeatures features = session.discoverFeatures().offered();
        DefinitionReport report =
                DefinitionReport.of(
                        first,
                        ExaminedDefinitions.NONE.next(
                                selection.select(first.tools()),
                                features,
                                session.identity().instructions(),
                                others));
        DefinitionReport second = DefinitionReport.of(session.discoverTools(limits));
        if (second.hasToolsOf(report)) {
            stableOrder = Optional.of(!second.isReorderingOf(report));
        }
        return report;
    }

    private Finding failure(Throwable failure) {
        return switch (failure) {
            case SessionOpenException opening -> notOpened(opening);
            case LimitReachedException limit -> Finding.of(Check.LIMIT_REACHED, why(limit));
            case ListingLimitException listing -> Finding.of(Check.LIST_FAILED, why(listing));
            case McpProtocolException protocol -> Finding.of(Check.LIST_FAILED, why(protocol));
            case JsonRpcException error ->
                    Finding.of(Check.LIST_FAILED, "tools/list failed: " + why(error));
            case RequestTimeoutException late -> Finding.of(Check.LIST_FAILED, why(late));
            case SessionClosedException closed -> Finding.of(Check.LIST_FAILED, why(closed));
            case TransportException lost -> Finding.of(Check.LIST_FAILED, why(lost));
            case RuntimeException unexpected -> throw unexpected;
            default -> throw new IllegalStateException("The trial failed", failure);
        };
    }

    private Finding notOpened(SessionOpenException opening) {
        Throwable cause = Objects.requireNonNullElse(opening.getCause(), opening);
        if (cause instanceof LimitReachedException) {
            return Finding.of(Check.LIMIT_REACHED, why(cause));
        }
        Check check =
                switch (definition.address()) {
                    case ServerAddress.Stdio _, ServerAddress.Exec _ -> Check.START_FAILED;
                    case ServerAddress.Container _, ServerAddress.Pod _ -> Check.START_FAILED;
                    case ServerAddress.Http _, ServerAddress.Sse _ ->
                            cause instanceof McpProtocolException
                                    ? Check.START_FAILED
                                    : Check.ENDPOINT_UNREACHABLE;
                };
        return Finding.of(check, why(cause));
    }

    private static String why(Throwable cause) {
        return String.valueOf(cause.getMessage());
    }

    private void addWhatTheSessionShowed() throws InterruptedException {
        Instant started = startedAt;
        Instant opened = openedAt;
        if (started == null || opened == null) {
            return;
        }
        SessionChecks.start(Duration.between(started, opened)).ifPresent(findings::add);
        SessionChecks.revision(revision).ifPresent(findings::add);
        stableOrder.flatMap(SessionChecks::order).ifPresent(findings::add);
        try {
            SessionInfo ended = end.get(LAST_EVENT.toMillis(), TimeUnit.MILLISECONDS);
            SessionChecks.noise(ended.noiseLines() > 0).ifPresent(findings::add);
            ended.obeyedEof().flatMap(SessionChecks::end).ifPresent(findings::add);
        } catch (TimeoutException | ExecutionException e) {
            findings.add(
                    Finding.of(
                            Check.EOF_IGNORED,
                            "The server had not ended when the check was over; it is being"
                                    + " killed"));
        }
    }

    @Override
    public void starting(ResourceKey server, SessionKey key) {
        startedAt = clock.instant();
    }

    @Override
    public void opened(ResourceKey server, SessionInfo session) {
        openedAt = clock.instant();
    }

    @Override
    public void closed(ResourceKey server, SessionInfo session, String cause, boolean failure) {
        end.complete(session);
    }

    @Override
    public void toolsChanged(ResourceKey server) {
        // The trial lists them twice anyway.
    }
}
