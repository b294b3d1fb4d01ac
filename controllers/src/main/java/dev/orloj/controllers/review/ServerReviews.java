package dev.orloj.controllers.review;

import dev.orloj.api.ApiException;
import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.findings.FindingSummary;
import dev.orloj.api.report.Check;
import dev.orloj.api.report.Finding;
import dev.orloj.api.report.Report;
import dev.orloj.api.report.Severity;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.mcpserver.definition.DefinitionResolver;
import dev.orloj.controllers.mcpserver.definition.Resolution;
import dev.orloj.controllers.mcpserver.definition.ServerDefaults;
import dev.orloj.controllers.toolfilter.ToolSelection;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.transport.ServerAddress;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Reviews manifests and stored servers. A manifest that is not stored is tried out: its server is
 * started as for a session, within the same limits, and ended. A stored server is not started
 * again; its report card has what its sessions showed. Thread-safe.
 */
public final class ServerReviews {

    /** The maximum number of servers that are tried out at a time. */
    public static final int MAX_TRIALS = 2;

    private final StoredResources stored;
    private final ServerDefaults defaults;
    private final SessionManager sessions;
    private final HostChecks host;
    private final BooleanSupplier ready;
    private final InstantSource clock;
    private final Semaphore trials = new Semaphore(MAX_TRIALS, true);

    ServerReviews(
            StoredResources stored,
            ServerDefaults defaults,
            SessionManager sessions,
            HostChecks.Images images,
            BooleanSupplier ready,
            InstantSource clock) {
        this.ready = ready;
        this.stored = stored;
        this.defaults = defaults;
        this.sessions = sessions;
        this.host = new HostChecks(defaults, images);
        this.clock = clock;
    }

    /**
     * @param images returns whether an image is on this host
     * @param ready returns whether the stored resources have been read
     */
    public static ServerReviews of(
            StoredResources stored,
            ServerDefaults defaults,
            SessionManager sessions,
            Predicate<String> images,
            BooleanSupplier ready,
            InstantSource clock) {
        return new ServerReviews(stored, defaults, sessions, images::test, ready, clock);
    }

    /**
     * Reviews a stored server; empty when there is none.
     *
     * @throws ApiException (ServiceUnavailable) when orlojd has just started
     */
    public Optional<Review> review(ResourceKey key) {
        requireReady();
        return stored.server(key).map(this::ofStored);
    }

    private void requireReady() {
        if (!ready.getAsBoolean()) {
            throw new ApiException(
                    ErrorReason.SERVICE_UNAVAILABLE, "orlojd has not read the resources yet");
        }
    }

    private Review ofStored(McpServer server) {
        List<Finding> findings = new ArrayList<>();
        switch (resolver(Companions.NONE).resolve(server)) {
            case Resolution.Suspended(String why) -> findings.add(suspended(why));
            case Resolution.Refused refused -> findings.add(refusal(refused));
            case Resolution.Resolved resolved -> {
                findings.addAll(shown(host.of(server, resolved), resolved));
                if (findings.stream().noneMatch(ServerReviews::isError)) {
                    unreadiness(server).ifPresent(findings::add);
                }
            }
        }
        Report card = server.status().report();
        if (card != null) {
            findings.addAll(card.findings());
        }
        return new Review(
                report(server, card == null ? 0 : card.definitionTokens(), findings, card),
                Optional.ofNullable(server.status().findings()));
    }

    private static Optional<Finding> unreadiness(McpServer server) {
        Optional<Condition> ready = Conditions.find(server.status().conditions(), McpServer.READY);
        if (ready.isPresent() && ready.get().status() == Condition.Status.TRUE) {
            return Optional.empty();
        }
        String why = ready.map(Condition::message).orElse("It was not looked at yet");
        return Optional.of(Finding.of(Check.NOT_READY, "The server is not ready: " + why));
    }

    /**
     * Reviews a manifest that is not stored.
     *
     * @param proposed admitted, with its namespace
     * @param start whether to try the server out
     * @param timeout what the server has to start and to list its tools; its end comes on top
     * @throws ApiException (TooManyRequests) when too many servers are being tried out,
     *     (ServiceUnavailable) when orlojd has just started
     */
    public Review review(McpServer proposed, Companions companions, boolean start, Duration timeout)
            throws InterruptedException {
        requireReady();
        McpServer server = TrialDefinition.nameless(proposed);
        return switch (resolver(companions).resolve(server)) {
            case Resolution.Suspended(String why) -> unstarted(server, suspended(why));
            case Resolution.Refused refused ->
                    unstarted(server, refusal(refused, companions, proposed));
            case Resolution.Resolved resolved ->
                    reviewed(proposed, server, resolved, start, timeout);
        };
    }

    private Review unstarted(McpServer server, Finding why) {
        return new Review(report(server, 0, List.of(why), null), Optional.empty());
    }

    private Review reviewed(
            McpServer proposed,
            McpServer server,
            Resolution.Resolved resolved,
            boolean start,
            Duration timeout)
            throws InterruptedException {
        List<Finding> findings = new ArrayList<>(host.of(server, resolved));
        long tokens = 0;
        Optional<FindingSummary> definitions = Optional.empty();
        if (isSingletonOfAnother(proposed)) {
            findings.add(
                    Finding.of(
                            Check.NOT_STARTED,
                            "The server was not started: it allows one session only, and a server"
                                    + " of this name is stored and may have it; see orlojctl check "
                                    + proposed.metadata().name()));
        } else if (start && findings.stream().noneMatch(ServerReviews::isError)) {
            Trial.Outcome outcome = tryOut(proposed.key(), server, resolved.definition(), timeout);
            tokens = outcome.tokens();
            definitions = outcome.definitions();
            outcome.findings().forEach(f -> findings.add(withImage(f, resolved.definition())));
        }
        return new Review(
                report(
                        server,
                        tokens,
                        underItsName(proposed, server, shown(findings, resolved)),
                        null),
                definitions.map(
                        summary ->
                                summary.mapTexts(
                                        text ->
                                                ConditionMessage.without(
                                                        resolved.secrets(), text))));
    }

    private static List<Finding> underItsName(
            McpServer proposed, McpServer server, List<Finding> findings) {
        String name = server.metadata().name();
        return findings.stream()
                .map(f -> f.withMessage(f.message().replace(name, proposed.metadata().name())))
                .toList();
    }

    /**
     * @param name that the server would have, which is not that of its session
     */
    private Trial.Outcome tryOut(
            ResourceKey name, McpServer server, ServerDefinition definition, Duration timeout)
            throws InterruptedException {
        if (!trials.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new ApiException(
                    ErrorReason.TOO_MANY_REQUESTS,
                    "%d servers are being checked already, the most at a time; check again later"
                            .formatted(MAX_TRIALS));
        }
        Trial trial =
                new Trial(
                        sessions,
                        TrialDefinition.of(definition, timeout),
                        defaults.listing(server.spec()),
                        ToolSelection.of(server.spec().offer().toolFilter()),
                        stored.toolsBeside(name),
                        clock);
        CompletableFuture<Trial.Outcome> outcome = new CompletableFuture<>();
        // On a thread of its own: the server ends also when the client no longer waits.
        Thread.ofVirtual()
                .name("orloj-review-" + server.key())
                .start(
                        () -> {
                            try {
                                outcome.complete(trial.run(timeout));
                            } catch (Throwable e) { // thrown where the outcome is awaited
                                outcome.completeExceptionally(e);
                            } finally {
                                trials.release();
                            }
                        });
        try {
            return outcome.get();
        } catch (InterruptedException e) {
            trial.cancel();
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException("A check failed: " + e.getCause(), e.getCause());
        }
    }

    /** A container that did not start may lack its image. */
    private Finding withImage(Finding finding, ServerDefinition definition) {
        if (!finding.isOf(Check.START_FAILED)
                || !(definition.address() instanceof ServerAddress.Container container)) {
            return finding;
        }
        return host.absence(container.spec().image().name())
                .map(absent -> absent.withMessage(finding.message()))
                .orElse(finding);
    }

    private boolean isSingletonOfAnother(McpServer proposed) {
        return proposed.spec().sharing().allowsOneSession()
                && stored.server(proposed.key()).isPresent();
    }

    private DefinitionResolver resolver(Companions companions) {
        return new DefinitionResolver(
                key ->
                        Optional.ofNullable(companions.secrets().get(key.name()))
                                .or(() -> stored.secret(key)),
                key ->
                        Optional.ofNullable(companions.configMaps().get(key.name()))
                                .or(() -> stored.configMap(key)),
                stored::sandbox,
                defaults,
                stored.policies(),
                _ -> List.of());
    }

    private static Finding suspended(String why) {
        return Finding.of(Check.SUSPENDED, "The server was not started, it is suspended: " + why);
    }

    private static Finding refusal(Resolution.Refused refused) {
        Check check = Check.ofReason(refused.reason()).orElse(Check.NOT_ACCEPTED);
        return Finding.of(check, refused.message());
    }

    /** A Sandbox that comes with the manifest has no container yet that a server could run in. */
    private static Finding refusal(
            Resolution.Refused refused, Companions companions, McpServer proposed) {
        Finding finding = refusal(refused);
        String sandbox = TrialDefinition.sandboxOf(proposed);
        return finding.isOf(Check.SANDBOX_NOT_FOUND) && companions.sandboxes().contains(sandbox)
                ? Finding.of(
                        Check.NOT_STARTED,
                        "The server was not started: it runs in Sandbox \"%s\", which is not stored yet; apply it, and check again"
                                .formatted(sandbox))
                : finding;
    }

    private static List<Finding> shown(List<Finding> findings, Resolution.Resolved resolved) {
        return findings.stream()
                .map(
                        f ->
                                f.withMessage(
                                        ConditionMessage.of(
                                                ConditionMessage.without(
                                                        resolved.secrets(), f.message()))))
                .toList();
    }

    private static boolean isError(Finding finding) {
        return finding.severity() == Severity.ERROR;
    }

    private Report report(
            McpServer server, long tokens, List<Finding> findings, @Nullable Report card) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        Instant taken = card == null || card.takenAt() == null ? now : card.takenAt();
        return new Report(
                taken,
                card == null ? server.metadata().generation() : card.observedGeneration(),
                tokens,
                findings);
    }
}
