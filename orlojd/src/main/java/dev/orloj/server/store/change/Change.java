package dev.orloj.server.store.change;

import dev.orloj.api.ResourceKey;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

/**
 * One entry of the log, shared by all watches: its documents must not be changed, and their secrets
 * are encrypted.
 *
 * @param kind plural and group
 * @param object the state after, the last state for a removal; carries the revision
 * @param before the JSON text of the state before, null for a creation
 * @param characters length of the JSON texts of both states
 */
record Change(
        long revision,
        String kind,
        ResourceKey key,
        Type type,
        ObjectNode object,
        @Nullable String before,
        int characters) {

    enum Type {
        ADDED,
        MODIFIED,
        DELETED;

        static Type ofColumn(String column) {
            return switch (column) {
                case "A" -> ADDED;
                case "M" -> MODIFIED;
                case "D" -> DELETED;
                default -> throw new IllegalArgumentException("change type " + column);
            };
        }
    }
}
