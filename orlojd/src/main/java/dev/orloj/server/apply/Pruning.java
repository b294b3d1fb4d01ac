package dev.orloj.server.apply;

import tools.jackson.databind.node.ObjectNode;

/**
 * Takes away what a manager applied before, applies no longer, and nobody else owns.
 *
 * @param last what the manager applied before
 * @param owned what anybody owns now, the manager included
 */
record Pruning(FieldType type, FieldSet last, FieldSet owned) {

    /**
     * Enclosing fields go with their last part; but one that others have parts of stays, and so
     * does, in what stays, everything that was never the manager's.
     */
    ObjectNode of(ObjectNode merged) {
        if (last.isEmpty()) {
            return merged;
        }
        FieldSet had = declared(last);
        FieldSet all = declared(FieldCollector.fieldsOf(type, merged));
        ObjectNode without = Removal.of(type, merged, had);
        FieldSet kept = declared(FieldCollector.fieldsOf(type, without)).union(declared(owned));
        ObjectNode ownedOnly = Removal.of(type, merged, all.minus(kept));
        FieldSet left = declared(FieldCollector.fieldsOf(type, ownedOnly));
        return Removal.of(type, merged, all.minus(left).intersection(had));
    }

    private FieldSet declared(FieldSet fields) {
        return fields.withDeclaredAncestors(type);
    }
}
