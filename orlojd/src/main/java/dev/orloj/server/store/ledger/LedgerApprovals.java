package dev.orloj.server.store.ledger;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.ApprovedFeatures;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.OfferedFeatures;
import dev.orloj.api.approval.PolicyAction;
import dev.orloj.api.approval.ServingPolicy;
import dev.orloj.api.approval.ToolApproval;
import dev.orloj.api.approval.ToolApprovals;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.ledger.RunningCode;
import dev.orloj.api.v1.McpServer;
import dev.orloj.runtime.call.FeatureDecisions;
import dev.orloj.runtime.call.HeldTools;
import dev.orloj.server.store.table.DatabaseFailure;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import javax.sql.DataSource;

/**
 * What is known of definitions apart from the Tools, with an entry of the ledger for each
 * definition that is held and for each decision. Thread-safe.
 */
public final class LedgerApprovals implements ToolApprovals, FeatureDecisions, HeldTools {

    /**
     * A decision of a user.
     *
     * @param digest of the definition
     */
    public record Verdict(DefinitionName name, String digest, boolean approved) {}

    /**
     * A definition that is held and not approved.
     *
     * @param rejected whether a user has rejected it
     * @param since when the server offered it first
     */
    public record Pending(HeldDefinition held, boolean rejected, Instant since) {}

    private final LedgerTable ledgers;
    private final ApprovalTable tools;
    private final ApprovalTable others;
    private final ApprovalGuard guard;
    private final LedgerFeatures features;
    private final ToolLedger ledger;
    private final LedgerCode code;
    private final InstantSource clock;
    private final TransactionTemplate transactions;

    public LedgerApprovals(DataSource dataSource, InstantSource clock) {
        JdbcClient jdbc = JdbcClient.create(dataSource);
        this.ledgers = new LedgerTable(jdbc);
        this.tools = ApprovalTable.ofTools(jdbc);
        this.others = ApprovalTable.ofOthers(jdbc);
        this.guard = new ApprovalGuard(jdbc);
        this.features = new LedgerFeatures(jdbc);
        this.ledger = new ToolLedger(jdbc, clock);
        this.code = new LedgerCode(jdbc, ledger, clock);
        this.clock = clock;
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource));
    }

    @Override
    public Map<DefinitionName, ToolApproval> find(ResourceKey server) {
        return DatabaseFailure.reading(() -> known(server));
    }

    private Map<DefinitionName, ToolApproval> known(ResourceKey server) {
        Map<DefinitionName, ToolApproval> known = new TreeMap<>();
        tools.find(server).forEach((name, tool) -> known.put(DefinitionName.tool(name), tool));
        others.find(server).forEach((name, other) -> known.put(DefinitionName.parse(name), other));
        return known;
    }

    private ApprovalTable table(DefinitionName name) {
        return name.isTool() ? tools : others;
    }

    /** Returns the definitions that are held and not approved, sorted by name. */
    public List<Pending> pending(ResourceKey server) {
        return DatabaseFailure.reading(
                () -> {
                    Map<DefinitionName, Instant> since = new TreeMap<>();
                    tools.heldSince(server)
                            .forEach((name, at) -> since.put(DefinitionName.tool(name), at));
                    others.heldSince(server)
                            .forEach((name, at) -> since.put(DefinitionName.parse(name), at));
                    return known(server).entrySet().stream()
                            .flatMap(
                                    each ->
                                            pending(
                                                    each.getValue(),
                                                    since.getOrDefault(
                                                            each.getKey(), clock.instant()))
                                                    .stream())
                            .toList();
                });
    }

    private static Optional<Pending> pending(ToolApproval tool, Instant since) {
        return tool.held()
                .filter(held -> !tool.approved().contains(held.digest()))
                .map(held -> new Pending(held, tool.rejected().contains(held.digest()), since));
    }

    @Override
    public void hold(ResourceKey server, List<HeldDefinition> held) {
        transactions.executeWithoutResult(
                _ -> {
                    LedgerTable.Head head = ledgers.lock(server);
                    Map<DefinitionName, ToolApproval> before = known(server);
                    List<HeldDefinition> offered = new ArrayList<>();
                    for (HeldDefinition each : held) {
                        Optional<HeldDefinition> known =
                                before.getOrDefault(each.name(), ToolApproval.NONE).held();
                        if (known.filter(each::equals).isPresent()) {
                            continue;
                        }
                        if (known.filter(k -> k.digest().equals(each.digest())).isEmpty()) {
                            offered.add(each);
                        }
                        table(each.name()).hold(server, each, clock.instant());
                    }
                    LedgerDrafts drafts = drafts(server, offered);
                    tools.holdOnly(server, keys(held, true));
                    others.holdOnly(server, keys(held, false));
                    if (!drafts.entries().isEmpty()) {
                        ledger.append(server, head, drafts);
                    }
                });
    }

    private LedgerDrafts drafts(ResourceKey server, List<HeldDefinition> offered) {
        Map<String, GeneratedTool> formers = new HashMap<>();
        if (offered.stream().anyMatch(each -> !each.former().isEmpty())) {
            ledgers.tools(server).forEach(tool -> formers.put(tool.tool(), tool));
        }
        LedgerDrafts drafts = new LedgerDrafts();
        offered.forEach(each -> drafts.hold(each, Optional.ofNullable(formers.get(each.former()))));
        return drafts;
    }

    /** Decides about what runs in a session, and records it. */
    public CodeDecision admit(ResourceKey server, RunningCode running) {
        return DatabaseFailure.writing(
                () ->
                        Objects.requireNonNull(
                                transactions.execute(_ -> code.admit(server, running))));
    }

    @Override
    public Optional<HeldDefinition> heldCode(
            ResourceKey server, ServingPolicy policy, String named) {
        return DatabaseFailure.writing(
                () ->
                        Objects.requireNonNull(
                                transactions.execute(_ -> code.held(server, policy, named))));
    }

    @Override
    public ApprovedFeatures offer(ResourceKey server, OfferedFeatures offered) {
        return DatabaseFailure.writing(
                () ->
                        Objects.requireNonNull(
                                transactions.execute(_ -> ledger.offer(server, offered))));
    }

    @Override
    public FeatureDecisions.Known find(
            ResourceKey server, Set<DefinitionName> names, Set<DefinitionName.Kind> kinds) {
        return DatabaseFailure.reading(
                () -> {
                    // The policy first: what it serves may be written in between, and not before.
                    ServingPolicy policy = guard.policyNow(server);
                    LedgerFeatures.Known known =
                            features.known(server, new DefinitionNames(names, kinds));
                    return new FeatureDecisions.Known(
                            policy, known.first(), known.served().keySet(), known.known());
                });
    }

    @Override
    public Map<String, String> withheld(ResourceKey server) {
        return DatabaseFailure.reading(() -> tools.withheld(server));
    }

    private static List<String> keys(List<HeldDefinition> held, boolean ofTools) {
        return held.stream()
                .map(HeldDefinition::name)
                .filter(name -> name.isTool() == ofTools)
                .map(ApprovalTable::key)
                .toList();
    }

    /**
     * Records decisions about definitions, all or none.
     *
     * @param actor who decides
     * @throws ApiException (Conflict) if a definition is neither held nor, for a rejection, served:
     *     the server may have changed it since; or if the policy of the server does not ask users
     */
    public void decide(ResourceKey server, List<Verdict> verdicts, String actor) {
        transactions.executeWithoutResult(
                _ -> {
                    ServingPolicy policy = guard.policyNow(server);
                    verdicts.forEach(verdict -> requireEffect(server, policy, verdict));
                    LedgerTable.Head head = ledgers.lock(server);
                    Map<DefinitionName, ToolApproval> known = known(server);
                    LedgerDrafts drafts = new LedgerDrafts();
                    for (Verdict verdict : verdicts) {
                        ToolApproval before = known.getOrDefault(verdict.name(), ToolApproval.NONE);
                        if (isDecided(before, verdict)) {
                            continue;
                        }
                        ApprovalTable table = table(verdict.name());
                        if (!isHeld(before, verdict)) {
                            table.hold(server, served(server, verdict), clock.instant());
                        }
                        table.decide(
                                server,
                                ApprovalTable.key(verdict.name()),
                                verdict.digest(),
                                verdict.approved(),
                                actor,
                                clock.instant());
                        drafts.decide(verdict.name(), verdict.digest(), verdict.approved(), actor);
                    }
                    if (!drafts.entries().isEmpty()) {
                        ledger.append(server, head, drafts);
                    }
                });
    }

    private static void requireEffect(ResourceKey server, ServingPolicy policy, Verdict verdict) {
        policy.whyIgnored(verdict.name(), verdict.digest(), verdict.approved())
                .ifPresent(
                        why -> {
                            throw ApiException.conflict(
                                    McpServer.KIND,
                                    server.name(),
                                    "a decision about %s has no effect: %s"
                                            .formatted(described(verdict.name()), why));
                        });
    }

    private static boolean isDecided(ToolApproval tool, Verdict verdict) {
        return (verdict.approved() ? tool.approved() : tool.rejected()).contains(verdict.digest());
    }

    private static boolean isHeld(ToolApproval tool, Verdict verdict) {
        return tool.held().filter(h -> h.digest().equals(verdict.digest())).isPresent();
    }

    /** Returns what is served and a user rejects. The next reconcile takes it away. */
    private HeldDefinition served(ResourceKey server, Verdict verdict) {
        return Optional.of(verdict)
                .filter(each -> !each.approved())
                .flatMap(each -> definition(server, each.name()))
                .filter(served -> CanonicalJson.digest(served).equals(verdict.digest()))
                .map(
                        served ->
                                new HeldDefinition(
                                        verdict.name(),
                                        verdict.digest(),
                                        served,
                                        PolicyAction.REJECT,
                                        "rejected",
                                        false))
                .orElseThrow(() -> notHeld(server, verdict));
    }

    private Optional<ObjectNode> definition(ResourceKey server, DefinitionName name) {
        if (name.isFeature()) {
            return features.served(server, name);
        }
        if (name.equals(DefinitionName.RUNS)) {
            return LedgerCode.known(others, server).served();
        }
        return name.isTool()
                ? ledgers.tools(server).stream()
                        .filter(tool -> tool.tool().equals(name.name()))
                        .map(GeneratedTool::definition)
                        .findFirst()
                : ledgers.description(server).definition(name);
    }

    private static ApiException notHeld(ResourceKey server, Verdict verdict) {
        return ApiException.conflict(
                McpServer.KIND,
                server.name(),
                "it does not offer the definition %s of %s now; list what is held and decide again"
                        .formatted(verdict.digest(), described(verdict.name())));
    }

    private static String described(DefinitionName name) {
        return (name.isTool() ? "tool " : "") + '"' + name.text() + '"';
    }
}
