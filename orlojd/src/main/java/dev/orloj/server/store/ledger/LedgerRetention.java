package dev.orloj.server.store.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerState;

import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Bounds the ledger of a server. From time to time an entry summarizes the state, so that the fold
 * and the chain can be checked without the entries before it. Old entries go up to a summary. Old
 * definitions go when there are too many bytes of them; their digests stay.
 */
final class LedgerRetention {

    /**
     * @param entries the fewest entries that stay
     * @param between the fewest entries between two summaries
     * @param bytes the most characters of contents, apart from those that the present state needs
     */
    record Limits(long entries, long between, long bytes) {

        static final Limits DEFAULT = new Limits(10_000, 1_000, 64L * 1024 * 1024);
    }

    private static final String OLDEST =
            """
            SELECT coalesce(max(sequence), 0) FROM tool_ledger_entry
             WHERE namespace = ? AND server = ? AND sequence <= ? AND summary
            """;

    private static final String REMOVE =
            "DELETE FROM tool_ledger_entry WHERE namespace = ? AND server = ? AND sequence < ?";

    private static final String REMOVE_UNUSED =
            """
            DELETE FROM tool_ledger_content c
             WHERE namespace = ? AND server = ? AND digest <> ALL (?)
               AND NOT EXISTS (SELECT 1 FROM tool_ledger_entry e
                                WHERE e.namespace = c.namespace AND e.server = c.server
                                  AND e.content = c.digest)
            """;

    /** Of the contents that the present state does not need, those that are first in the ledger. */
    private static final String REMOVE_OLD =
            """
            DELETE FROM tool_ledger_content c
             USING (SELECT digest, sum(length(document)) OVER (ORDER BY sequence DESC, digest) AS newer
                      FROM tool_ledger_content
                     WHERE namespace = ? AND server = ? AND digest <> ALL (?)) AS old
             WHERE c.namespace = ? AND c.server = ? AND c.digest = old.digest AND old.newer > ?
               AND NOT EXISTS (SELECT 1 FROM tool_ledger_entry e
                                WHERE e.namespace = c.namespace AND e.server = c.server
                                  AND e.content = c.digest AND e.summary)
            """;

    private static final String BYTES =
            """
            SELECT coalesce(sum(length(document)), 0) FROM tool_ledger_content
             WHERE namespace = ? AND server = ? AND digest <> ALL (?)
            """;

    private final JdbcClient jdbc;
    private final LedgerTable table;
    private final Limits limits;

    LedgerRetention(JdbcClient jdbc, LedgerTable table, Limits limits) {
        this.jdbc = jdbc;
        this.table = table;
        this.limits = limits;
    }

    /** Adds a summary if one is due, and removes what is beyond the limits. Holds the lock. */
    void apply(ResourceKey server, LedgerTable.Head head, Supplier<LedgerState> fold, Instant now) {
        boolean tooLarge = head.bytes() > 2 * limits.bytes();
        if (head.sequence() < Math.max(head.due(), limits.between()) && !tooLarge) {
            return;
        }
        LedgerState state = fold.get();
        LedgerTable.Head summarized = summarize(server, head, state, now);
        long first = summaryUpTo(server, summarized.sequence() - limits.entries());
        if (first == 0 && !tooLarge) {
            return;
        }
        if (first > 0) {
            jdbc.sql(REMOVE).param(server.namespace()).param(server.name()).param(first).update();
        }
        removeContents(server, state, tooLarge);
        table.move(server, summarized.withBytes(bytes(server, needed(state))), now);
    }

    private LedgerTable.Head summarize(
            ResourceKey server, LedgerTable.Head head, LedgerState state, Instant now) {
        ObjectNode document = state.toJson();
        String digest = CanonicalJson.digest(document);
        LedgerEntry entry =
                new LedgerEntry.Draft(LedgerEntry.SUMMARIZED, LedgerEntry.LEDGER)
                        .content(digest, Map.of())
                        .after(head.sequence(), head.hash(), now);
        long sequence = entry.sequence();
        String text = document.toString();
        LedgerTable.Head next =
                new LedgerTable.Head(
                        sequence,
                        entry.hash(),
                        sequence,
                        sequence + Math.max(limits.between(), 2L * size(state)),
                        head.record(),
                        head.bytes() + text.length());
        table.append(
                server,
                List.of(entry),
                List.of(new LedgerTable.Content(digest, sequence, text)),
                next,
                now);
        return next;
    }

    private static long size(LedgerState state) {
        return (long) state.tools().size() + state.features().size();
    }

    /** Returns the sequence of the newest summary up to one; 0 when there is none. */
    private long summaryUpTo(ResourceKey server, long atMost) {
        return jdbc.sql(OLDEST)
                .param(server.namespace())
                .param(server.name())
                .param(atMost)
                .query(Long.class)
                .single();
    }

    private static Set<String> needed(LedgerState state) {
        Set<String> needed = new HashSet<>();
        needed.add(state.server());
        state.tools().values().forEach(item -> needed.add(item.content()));
        needed.addAll(state.features().values());
        return needed;
    }

    private void removeContents(ResourceKey server, LedgerState state, boolean tooLarge) {
        Set<String> needed = needed(state);
        Set<String> shown = new HashSet<>(needed);
        table.entries(server, 0, 1).stream()
                .filter(LedgerEntry::isSummary)
                .flatMap(base -> table.content(server, base.content()).stream())
                .forEach(base -> shown.addAll(needed(LedgerState.of(base))));
        jdbc.sql(REMOVE_UNUSED)
                .param(server.namespace())
                .param(server.name())
                .param(shown.toArray(String[]::new))
                .update();
        if (tooLarge) {
            jdbc.sql(REMOVE_OLD)
                    .param(server.namespace())
                    .param(server.name())
                    .param(needed.toArray(String[]::new))
                    .param(server.namespace())
                    .param(server.name())
                    .param(limits.bytes())
                    .update();
        }
    }

    private long bytes(ResourceKey server, Set<String> needed) {
        return jdbc.sql(BYTES)
                .param(server.namespace())
                .param(server.name())
                .param(needed.toArray(String[]::new))
                .query(Long.class)
                .single();
    }
}
