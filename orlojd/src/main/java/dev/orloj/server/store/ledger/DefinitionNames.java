package dev.orloj.server.store.ledger;

import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.ledger.LedgerEntry;

import java.util.Collection;
import java.util.Set;

/**
 * Some names of definitions.
 *
 * @param names these
 * @param kinds and all of these kinds
 */
record DefinitionNames(Collection<DefinitionName> names, Set<DefinitionName.Kind> kinds) {

    /** Takes {@link #keys} and {@link #prefixes}. */
    static final String CONDITION = " AND (name = ANY (?) OR name ^@ ANY (?))";

    String[] keys() {
        return names.stream().map(FeatureTable::key).toArray(String[]::new);
    }

    String[] prefixes() {
        return kinds.stream()
                .map(kind -> LedgerEntry.prefix(kind.subject()))
                .toArray(String[]::new);
    }
}
