package dev.orloj.server.store.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.ServingDecision;
import dev.orloj.api.approval.ServingPolicy;
import dev.orloj.api.approval.ToolApproval;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.RunningCode;

import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/**
 * Decides about what runs behind the definitions of servers, and records it. All methods run in a
 * transaction of the caller. Thread-safe.
 */
final class LedgerCode {

    private static final DefinitionNames NAME =
            new DefinitionNames(Set.of(DefinitionName.RUNS), Set.of());

    private final LedgerTable ledgers;
    private final ApprovalTable others;
    private final ApprovalGuard guard;
    private final ToolLedger ledger;
    private final InstantSource clock;

    LedgerCode(JdbcClient jdbc, ToolLedger ledger, InstantSource clock) {
        this.ledgers = new LedgerTable(jdbc);
        this.others = ApprovalTable.ofOthers(jdbc);
        this.guard = new ApprovalGuard(jdbc);
        this.ledger = ledger;
        this.clock = clock;
    }

    /** Returns what is known of what runs. */
    static ToolApproval known(ApprovalTable others, ResourceKey server) {
        return others.find(server, NAME)
                .getOrDefault(DefinitionName.RUNS.text(), ToolApproval.NONE);
    }

    /**
     * Decides about what runs in a session. It is recorded as what is served, or as held.
     *
     * @return serves a server that does not exist
     */
    CodeDecision admit(ResourceKey server, RunningCode code) {
        if (!guard.exists(server)) {
            return new CodeDecision.Admitted("");
        }
        ServingPolicy policy =
                guard.policy(server).map(ApprovalGuard.InForce::policy).orElse(ServingPolicy.NONE);
        LedgerTable.Head head = ledgers.lock(server);
        ToolApproval known = known(others, server);
        LedgerDrafts drafts = new LedgerDrafts();
        CodeDecision decision =
                switch (decide(policy, code.fields(), known)) {
                    case ServingDecision.Serve(String warning) -> {
                        serve(server, code, known, drafts);
                        yield new CodeDecision.Admitted(warning);
                    }
                    case ServingDecision.Hold hold -> {
                        HeldDefinition held = held(code.fields(), hold);
                        boolean isNew =
                                known.held()
                                        .filter(each -> each.digest().equals(held.digest()))
                                        .isEmpty();
                        if (isNew) {
                            drafts.hold(held);
                        }
                        others.hold(server, held, clock.instant());
                        yield new CodeDecision.Refused(held, isNew);
                    }
                };
        if (!drafts.entries().isEmpty()) {
            ledger.append(server, head, drafts);
        }
        return decision;
    }

    private void serve(
            ResourceKey server, RunningCode code, ToolApproval known, LedgerDrafts drafts) {
        String before = known.served().map(CanonicalJson::digest).orElse("");
        if (!before.equals(code.digest())) {
            drafts.runs(code, before);
            others.served(
                    server,
                    DefinitionName.RUNS.text(),
                    code.digest(),
                    code.fields(),
                    clock.instant());
        }
        if (known.held().isPresent()) {
            others.release(server, DefinitionName.RUNS);
        }
    }

    /** Returns what is held for what the manifest names now, after a decision or a new policy. */
    Optional<HeldDefinition> held(ResourceKey server, ServingPolicy policy, String named) {
        ToolApproval known = known(others, server);
        if (known.held().isEmpty()) {
            return Optional.empty();
        }
        HeldDefinition before = known.held().get();
        if (!new RunningCode(before.definition()).named().equals(named)) {
            return Optional.empty();
        }
        return switch (decide(policy, before.definition(), known)) {
            case ServingDecision.Serve _ -> Optional.empty();
            case ServingDecision.Hold hold -> {
                HeldDefinition now = held(before.definition(), hold);
                if (!now.equals(before)) {
                    others.hold(server, now, clock.instant());
                }
                yield Optional.of(now);
            }
        };
    }

    /** Returns why the policy does not serve what runs; empty if it does. */
    static Optional<String> whyHeld(
            ApprovalTable others, ServingPolicy policy, ResourceKey server) {
        ToolApproval known = known(others, server);
        return known.held()
                .map(held -> decide(policy, held.definition(), known))
                .filter(ServingDecision.Hold.class::isInstance)
                .map(hold -> ((ServingDecision.Hold) hold).reason());
    }

    private static ServingDecision decide(
            ServingPolicy policy, ObjectNode definition, ToolApproval known) {
        return policy.isEmpty()
                ? new ServingDecision.Serve("")
                : ServingDecision.of(policy, false, DefinitionName.RUNS, definition, known);
    }

    private static HeldDefinition held(ObjectNode definition, ServingDecision.Hold hold) {
        return new HeldDefinition(
                DefinitionName.RUNS,
                CanonicalJson.digest(definition),
                definition,
                hold.action(),
                hold.reason(),
                false);
    }
}
