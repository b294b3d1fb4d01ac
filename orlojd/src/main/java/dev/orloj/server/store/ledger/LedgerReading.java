package dev.orloj.server.store.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.LedgerCheckpoint;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerState;
import dev.orloj.server.store.table.DatabaseFailure;

import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import javax.sql.DataSource;

/** Reads ledgers. Thread-safe. */
public final class LedgerReading {

    /** Entries that are read at once. */
    private static final int PAGE = 1_000;

    /**
     * Some entries of a ledger.
     *
     * @param sequence of the newest entry of the ledger
     * @param hash of that entry
     * @param base the state that the first entry summarizes, if it is the first of the ledger
     */
    public record Page(
            long sequence, String hash, Optional<JsonNode> base, List<LedgerEntry> entries) {

        public Page {
            entries = List.copyOf(entries);
        }
    }

    private final LedgerTable table;
    private final FeatureTable features;
    private final ApprovalTable others;

    public LedgerReading(DataSource dataSource) {
        JdbcClient jdbc = JdbcClient.create(dataSource);
        this.table = new LedgerTable(jdbc);
        this.features = new FeatureTable(jdbc);
        this.others = ApprovalTable.ofOthers(jdbc);
    }

    /**
     * Returns the digests of the prompts, resource templates and resources that are served, by
     * kinds and names such as {@code prompt/review}, and that of what runs, {@code server/runs}.
     */
    public Map<String, String> features(ResourceKey server) {
        return DatabaseFailure.reading(
                () -> {
                    Map<String, String> digests = new TreeMap<>(features.digests(server));
                    LedgerCode.known(others, server)
                            .served()
                            .ifPresent(
                                    runs ->
                                            digests.put(
                                                    DefinitionName.RUNS.text(),
                                                    CanonicalJson.digest(runs)));
                    return digests;
                });
    }

    /**
     * Returns entries after one, in their order. Empty when the server has no ledger.
     *
     * @param after sequence of an entry; 0 for the first page
     */
    public Optional<Page> page(ResourceKey server, long after, int limit) {
        return DatabaseFailure.reading(
                () ->
                        table.head(server)
                                .filter(head -> head.sequence() > 0)
                                .map(head -> page(server, head, after, limit)));
    }

    private Page page(ResourceKey server, LedgerTable.Head head, long after, int limit) {
        List<LedgerEntry> entries =
                table.entries(server, after, limit).stream()
                        .filter(entry -> entry.sequence() <= head.sequence())
                        .toList();
        Optional<JsonNode> base =
                entries.stream()
                        .findFirst()
                        .filter(first -> after == 0)
                        .filter(LedgerEntry::isSummary)
                        .flatMap(first -> table.content(server, first.content()));
        return new Page(head.sequence(), head.hash(), base, entries);
    }

    /**
     * Returns the newest entries of all ledgers at one moment, in the order of namespaces and
     * servers.
     *
     * @param namespace empty for all namespaces
     */
    public List<LedgerCheckpoint.Head> heads(String namespace) {
        return DatabaseFailure.reading(() -> table.heads(namespace));
    }

    /** Returns a definition, a record or a state by its digest, if the ledger still has it. */
    public Optional<JsonNode> content(ResourceKey server, String digest) {
        return DatabaseFailure.reading(() -> table.content(server, digest));
    }

    /** Returns the fold of all entries: of the newest summary and those after it. */
    static LedgerState state(LedgerTable table, ResourceKey server, LedgerTable.Head head) {
        LedgerState state = new LedgerState();
        long read = head.summary() == 0 ? 0 : head.summary() - 1;
        boolean isFirst = true;
        while (read < head.sequence()) {
            List<LedgerEntry> entries = table.entries(server, read, PAGE);
            if (entries.isEmpty()) {
                return state;
            }
            for (LedgerEntry entry : entries) {
                if (isFirst && entry.isSummary()) {
                    state =
                            table.content(server, entry.content())
                                    .map(LedgerState::of)
                                    .orElseGet(LedgerState::new);
                }
                state.add(entry);
                isFirst = false;
            }
            read = entries.getLast().sequence();
        }
        return state;
    }
}
