package dev.orloj.server.store.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.v1.Tool;
import dev.orloj.server.store.table.ResourceTable;
import dev.orloj.server.store.table.StorableText;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the tools that were renamed and held. The former Tool goes in the transaction of a sync,
 * and the new one comes when its definition is served, so each of the two has an entry of its own.
 */
final class HeldRenames {

    private static final String HELD =
            """
            SELECT former, tool FROM tool_approval
             WHERE namespace = ? AND server = ? AND state = 'Held' AND former = ANY (?)
            """;

    private static final String ENTRIES =
            """
            SELECT entry, hash FROM tool_ledger_entry
             WHERE namespace = ? AND server = ? AND content = ANY (?) ORDER BY sequence
            """;

    private static final String PRESENT =
            "SELECT name FROM resource WHERE kind = ? AND namespace = ? AND name = ANY (?)";

    /**
     * What one transaction has of them.
     *
     * @param names the held names of tools that go, by their former names
     * @param entries that held the definitions of Tools that come, by the names of the Tools
     */
    record Found(Map<String, String> names, Map<String, LedgerEntry> entries) {

        static final Found NONE = new Found(Map.of(), Map.of());
    }

    private final JdbcClient jdbc;

    HeldRenames(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Returns those of a transaction, whose ledger is locked.
     *
     * @param before by the names of the Tools
     */
    Found find(
            ResourceKey server,
            Map<String, GeneratedTool> before,
            Map<String, GeneratedTool> after) {
        List<String> gone = new ArrayList<>();
        before.forEach(
                (resource, tool) -> {
                    if (!after.containsKey(resource)) {
                        gone.add(StorableText.ofKey(tool.tool()));
                    }
                });
        Map<String, String> added = new HashMap<>();
        after.forEach(
                (resource, tool) -> {
                    if (!before.containsKey(resource)) {
                        added.put(CanonicalJson.digest(tool.definition()), resource);
                    }
                });
        return new Found(
                gone.isEmpty() ? Map.of() : names(server, gone),
                added.isEmpty() ? Map.of() : entries(server, added, after.keySet()));
    }

    private Map<String, String> names(ResourceKey server, Collection<String> gone) {
        Map<String, String> names = new HashMap<>();
        jdbc.sql(HELD)
                .param(server.namespace())
                .param(server.name())
                .param(gone.toArray(String[]::new))
                .query(
                        row -> {
                            names.put(row.getString(1), row.getString(2));
                        });
        return names;
    }

    /**
     * @param added the names of Tools by the digests of their definitions
     * @param after the names of all Tools that are written
     */
    private Map<String, LedgerEntry> entries(
            ResourceKey server, Map<String, String> added, Set<String> after) {
        Map<String, LedgerEntry> last = new HashMap<>();
        jdbc
                .sql(ENTRIES)
                .param(server.namespace())
                .param(server.name())
                .param(added.keySet().toArray(String[]::new))
                .query((row, _) -> LedgerEntry.read(row.getString(1), row.getString(2)))
                .list()
                .stream()
                .filter(entry -> entry.actor().isEmpty())
                .forEach(entry -> last.put(entry.content(), entry));
        // A tool that was served since it was held, and comes back, has not been renamed again.
        last.values().removeIf(entry -> entry.formerResource().isEmpty() || !isHeld(entry));
        if (!last.isEmpty()) {
            // The fold of a rename would remove a former Tool that has come back.
            Set<String> present = new HashSet<>(present(server, last.values()));
            present.addAll(after);
            last.values().removeIf(entry -> present.contains(entry.formerResource()));
        }
        Map<String, LedgerEntry> entries = new HashMap<>();
        last.forEach((digest, entry) -> entries.put(added.getOrDefault(digest, ""), entry));
        return entries;
    }

    private static boolean isHeld(LedgerEntry entry) {
        return entry.operation().equals(LedgerEntry.HELD);
    }

    private List<String> present(ResourceKey server, Collection<LedgerEntry> entries) {
        return jdbc.sql(PRESENT)
                .param(ResourceTable.column(Tool.DESCRIPTOR))
                .param(server.namespace())
                .param(
                        entries.stream()
                                .map(LedgerEntry::formerResource)
                                .map(StorableText::ofKey)
                                .toArray(String[]::new))
                .query((row, _) -> row.getString(1))
                .list();
    }
}
