package dev.orloj.server.apply;

import tools.jackson.databind.node.ObjectNode;

/**
 * Removes the fields that a manager applied before and no longer applies, unless another manager
 * owns them.
 *
 * @param last what the manager applied before
 * @param owned what any manager owns now, including this one
 */
record FieldPruning(FieldType type, FieldSet last, FieldSet owned) {

    /**
     * Removes an enclosing field together with its last part. An enclosing field stays if other
     * managers own parts of it; everything in it that this manager never owned stays too.
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
