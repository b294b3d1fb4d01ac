package dev.orloj.cli.ledger;

import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.ToolNames;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Tools that were never served: there is no Tool of them, only the name that it would have. */
final class UnservedTools {

    private UnservedTools() {}

    /** Returns the names on the server of the tools that had no Tool when they were held. */
    static List<String> of(List<LedgerEntry> entries) {
        return entries.stream()
                .filter(entry -> entry.subject().equals(LedgerEntry.TOOL))
                .filter(entry -> entry.resource().isEmpty())
                .map(LedgerEntry::tool)
                .toList();
    }

    /**
     * Returns the name on the server of the tool whose Tool would have a name.
     *
     * @param server name of the McpServer
     * @param resource name of the Tool
     * @param tools names on the server
     */
    static Optional<String> find(String server, String resource, Collection<String> tools) {
        return ToolNames.assign(server, new TreeSet<>(tools), _ -> false, _ -> false)
                .entrySet()
                .stream()
                .filter(each -> each.getValue().resource().equals(resource))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
