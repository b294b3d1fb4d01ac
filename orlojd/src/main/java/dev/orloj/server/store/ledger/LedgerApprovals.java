package dev.orloj.server.store.ledger;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.PolicyAction;
import dev.orloj.api.approval.ToolApproval;
import dev.orloj.api.approval.ToolApprovals;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.v1.McpServer;
import dev.orloj.server.store.table.DatabaseFailure;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import javax.sql.DataSource;

/**
 * What is known of definitions apart from the Tools, with an entry of the ledger for each
 * definition that is held and for each decision. Thread-safe.
 */
public final class LedgerApprovals implements ToolApprovals {

    /**
     * A decision of a user.
     *
     * @param tool its name on the server
     * @param digest of the definition
     */
    public record Verdict(String tool, String digest, boolean approved) {}

    /**
     * A definition that is held, and that nobody approved.
     *
     * @param since when the server offered it first
     */
    public record Pending(HeldDefinition held, Instant since) {}

    private final LedgerTable ledgers;
    private final ApprovalTable approvals;
    private final ToolLedger ledger;
    private final InstantSource clock;
    private final TransactionTemplate transactions;

    public LedgerApprovals(DataSource dataSource, InstantSource clock) {
        JdbcClient jdbc = JdbcClient.create(dataSource);
        this.ledgers = new LedgerTable(jdbc);
        this.approvals = new ApprovalTable(jdbc);
        this.ledger = new ToolLedger(jdbc, clock);
        this.clock = clock;
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource));
    }

    @Override
    public Map<String, ToolApproval> find(ResourceKey server) {
        return DatabaseFailure.reading(() -> approvals.find(server));
    }

    /** Returns the definitions that are held and that nobody approved, sorted by tool. */
    public List<Pending> pending(ResourceKey server) {
        return DatabaseFailure.reading(
                () -> {
                    Map<String, Instant> since = approvals.heldSince(server);
                    return approvals.find(server).entrySet().stream()
                            .flatMap(
                                    tool ->
                                            pending(
                                                    tool.getValue(),
                                                    since.getOrDefault(
                                                            tool.getKey(), clock.instant()))
                                                    .stream())
                            .toList();
                });
    }

    private static Optional<Pending> pending(ToolApproval tool, Instant since) {
        return tool.held()
                .filter(held -> !tool.approved().contains(held.digest()))
                .map(held -> new Pending(held, since));
    }

    @Override
    public void hold(ResourceKey server, List<HeldDefinition> held) {
        transactions.executeWithoutResult(
                _ -> {
                    LedgerTable.Head head = ledgers.lock(server);
                    Map<String, ToolApproval> before = approvals.find(server);
                    LedgerDrafts drafts = new LedgerDrafts();
                    for (HeldDefinition each : held) {
                        Optional<HeldDefinition> known =
                                before.getOrDefault(each.tool(), ToolApproval.NONE).held();
                        if (known.filter(each::equals).isPresent()) {
                            continue;
                        }
                        if (known.filter(k -> k.digest().equals(each.digest())).isEmpty()) {
                            drafts.hold(each);
                        }
                        approvals.hold(server, each, clock.instant());
                    }
                    approvals.holdOnly(server, held.stream().map(HeldDefinition::tool).toList());
                    if (!drafts.entries().isEmpty()) {
                        ledger.append(server, head, drafts);
                    }
                });
    }

    /**
     * Records decisions about definitions, all or none.
     *
     * @param actor who decides
     * @throws ApiException (Conflict) if a definition is neither held nor, for a rejection, served:
     *     the server may have changed it since
     */
    public void decide(ResourceKey server, List<Verdict> verdicts, String actor) {
        transactions.executeWithoutResult(
                _ -> {
                    LedgerTable.Head head = ledgers.lock(server);
                    Map<String, ToolApproval> known = approvals.find(server);
                    LedgerDrafts drafts = new LedgerDrafts();
                    for (Verdict verdict : verdicts) {
                        ToolApproval tool = known.getOrDefault(verdict.tool(), ToolApproval.NONE);
                        if (isDecided(tool, verdict)) {
                            continue;
                        }
                        if (!isHeld(tool, verdict)) {
                            approvals.hold(server, served(server, verdict), clock.instant());
                        }
                        approvals.decide(
                                server,
                                verdict.tool(),
                                verdict.digest(),
                                verdict.approved(),
                                actor,
                                clock.instant());
                        drafts.decide(verdict.tool(), verdict.digest(), verdict.approved(), actor);
                    }
                    if (!drafts.entries().isEmpty()) {
                        ledger.append(server, head, drafts);
                    }
                });
    }

    private static boolean isDecided(ToolApproval tool, Verdict verdict) {
        return (verdict.approved() ? tool.approved() : tool.rejected()).contains(verdict.digest());
    }

    private static boolean isHeld(ToolApproval tool, Verdict verdict) {
        return tool.held().filter(h -> h.digest().equals(verdict.digest())).isPresent();
    }

    /** Returns what a Tool serves and a user rejects. The next reconcile takes it away. */
    private HeldDefinition served(ResourceKey server, Verdict verdict) {
        return ledgers.tools(server).stream()
                .filter(tool -> !verdict.approved() && tool.tool().equals(verdict.tool()))
                .filter(tool -> CanonicalJson.digest(tool.definition()).equals(verdict.digest()))
                .findFirst()
                .map(
                        tool ->
                                new HeldDefinition(
                                        tool.tool(),
                                        verdict.digest(),
                                        tool.definition(),
                                        PolicyAction.REJECT,
                                        "rejected",
                                        false))
                .orElseThrow(() -> notHeld(server, verdict));
    }

    private static ApiException notHeld(ResourceKey server, Verdict verdict) {
        return ApiException.conflict(
                McpServer.KIND,
                server.name(),
                "it does not offer the definition %s of tool \"%s\" now; list what is held and decide again"
                        .formatted(verdict.digest(), verdict.tool()));
    }
}
