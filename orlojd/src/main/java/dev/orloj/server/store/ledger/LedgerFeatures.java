package dev.orloj.server.store.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.ApprovedFeatures;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.OfferedFeatures;
import dev.orloj.api.approval.ServingPolicy;
import dev.orloj.api.approval.ToolApproval;
import dev.orloj.api.ledger.CanonicalJson;

import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Decides about the prompts, resource templates and resources of servers, and writes which of them
 * are served. All methods run in a transaction of the caller, which holds the lock of the ledger.
 * Thread-safe.
 */
final class LedgerFeatures {

    private final FeatureTable table;
    private final ApprovalTable others;

    /** The servers whose ledgers were compared with what is served. */
    private final Set<ResourceKey> compared = ConcurrentHashMap.newKeySet();

    LedgerFeatures(JdbcClient jdbc) {
        this.table = new FeatureTable(jdbc);
        this.others = ApprovalTable.ofOthers(jdbc);
    }

    /**
     * What is known of the features of a server.
     *
     * @param first whether they were never recorded
     * @param served what is served so far
     * @param known of all of them, with what is served
     */
    record Known(
            boolean first,
            Map<DefinitionName, FeatureTable.Served> served,
            Map<DefinitionName, ToolApproval> known) {

        List<HeldDefinition> held() {
            return known.values().stream().flatMap(each -> each.held().stream()).toList();
        }

        Map<DefinitionName, ObjectNode> definitions() {
            Map<DefinitionName, ObjectNode> definitions = new TreeMap<>();
            served.forEach((name, each) -> definitions.put(name, each.definition()));
            return definitions;
        }
    }

    Known known(ResourceKey server) {
        return known(server, table.find(server), others.find(server));
    }

    /** Returns what is known of some of them. */
    Known known(ResourceKey server, DefinitionNames names) {
        return known(server, table.find(server, names), others.find(server, names));
    }

    private Known known(
            ResourceKey server,
            Map<DefinitionName, FeatureTable.Served> served,
            Map<String, ToolApproval> stored) {
        Map<DefinitionName, ToolApproval> known = new TreeMap<>();
        stored.forEach((text, approval) -> known.put(DefinitionName.parse(text), approval));
        known.keySet().removeIf(name -> !name.isFeature());
        served.forEach(
                (name, each) ->
                        known.merge(
                                name,
                                ToolApproval.NONE.serving(each.definition()),
                                (approval, _) -> approval.serving(each.definition())));
        return new Known(!table.isRecorded(server), served, known);
    }

    /** Returns the digests of what is served, by the texts of the names. */
    Map<String, String> digests(ResourceKey server) {
        return table.digests(server);
    }

    /** Returns a definition that is served. */
    Optional<ObjectNode> served(ResourceKey server, DefinitionName name) {
        return Optional.ofNullable(table.find(server).get(name))
                .map(FeatureTable.Served::definition);
    }

    /**
     * Decides about what a server offers, and writes it.
     *
     * @param ledger returns the digests that the ledger has of what is served
     */
    ApprovedFeatures offer(
            ResourceKey server,
            ServingPolicy policy,
            OfferedFeatures offered,
            Supplier<Map<String, String>> ledger,
            LedgerDrafts drafts,
            Instant now) {
        Known known = known(server);
        if (known.first() && offered.read().isEmpty()) {
            return ApprovedFeatures.NONE;
        }
        ApprovedFeatures approved =
                ApprovedFeatures.of(
                        policy,
                        known.first(),
                        known.known(),
                        offered.complete(known.definitions(), known.held()));
        writeServed(server, known, approved, recorded(server, known, ledger), drafts);
        hold(server, known, approved, drafts, now);
        if (!policy.isEmpty()) {
            remember(server, gone(known, approved.served().keySet()), now);
        }
        if (known.first()) {
            table.setRecorded(server, now);
        }
        return approved;
    }

    /** Only the first time is the ledger itself read: then it is known to match. */
    private Map<String, String> recorded(
            ResourceKey server, Known known, Supplier<Map<String, String>> ledger) {
        if (!compared.contains(server)) {
            AfterCommit.run(() -> compared.add(server));
            return ledger.get();
        }
        Map<String, String> digests = new TreeMap<>();
        known.served().forEach((name, each) -> digests.put(name.text(), each.digest()));
        return digests;
    }

    private void writeServed(
            ResourceKey server,
            Known known,
            ApprovedFeatures approved,
            Map<String, String> recorded,
            LedgerDrafts drafts) {
        Map<DefinitionName, FeatureTable.Served> written = new TreeMap<>();
        Set<String> retired = new TreeSet<>(recorded.keySet());
        approved.served()
                .forEach(
                        (name, definition) -> {
                            String digest = CanonicalJson.digest(definition);
                            retired.remove(name.text());
                            drafts.serve(
                                    name,
                                    definition,
                                    digest,
                                    recorded.getOrDefault(name.text(), ""));
                            FeatureTable.Served before = known.served().get(name);
                            if (before == null || !before.digest().equals(digest)) {
                                written.put(name, new FeatureTable.Served(digest, definition));
                            }
                        });
        retired.forEach(text -> drafts.retire(DefinitionName.parse(text)));
        table.put(server, written);
        table.remove(server, gone(known, approved.served().keySet()).keySet());
    }

    private static Map<DefinitionName, FeatureTable.Served> gone(
            Known known, Set<DefinitionName> served) {
        Map<DefinitionName, FeatureTable.Served> gone = new TreeMap<>(known.served());
        gone.keySet().removeAll(served);
        return gone;
    }

    private void hold(
            ResourceKey server,
            Known known,
            ApprovedFeatures approved,
            LedgerDrafts drafts,
            Instant now) {
        for (HeldDefinition each : approved.held()) {
            Optional<HeldDefinition> before =
                    known.known().getOrDefault(each.name(), ToolApproval.NONE).held();
            if (before.filter(each::equals).isPresent()) {
                continue;
            }
            if (before.filter(b -> b.digest().equals(each.digest())).isEmpty()) {
                drafts.hold(each);
            }
            others.hold(server, each, now);
        }
        if (!known.held().isEmpty()) {
            others.holdOnlyFeatures(server, keys(approved.held()));
        }
    }

    private static List<String> keys(Collection<HeldDefinition> held) {
        return held.stream().map(each -> ApprovalTable.key(each.name())).toList();
    }

    /** Keeps the definitions that are gone. What comes back is compared with them. */
    private void remember(
            ResourceKey server, Map<DefinitionName, FeatureTable.Served> gone, Instant now) {
        gone.forEach(
                (name, each) ->
                        others.served(server, name.text(), each.digest(), each.definition(), now));
        if (!gone.isEmpty()) {
            others.trimServed(server);
        }
    }

    /** Retires all of a server that is deleted. */
    void withdraw(ResourceKey server, LedgerDrafts drafts, Instant now) {
        Known known = known(server);
        known.served().keySet().forEach(drafts::retire);
        remember(server, known.served(), now);
        table.remove(server, known.served().keySet());
        AfterCommit.run(() -> compared.remove(server));
    }
}
