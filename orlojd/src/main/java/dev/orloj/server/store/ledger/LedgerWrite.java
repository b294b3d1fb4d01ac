package dev.orloj.server.store.ledger;

import dev.orloj.api.ResourceKey;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/**
 * The write of a resource.
 *
 * @param before empty when it is created
 * @param after empty when it is removed
 */
public record LedgerWrite(
        ResourceKey key, Optional<ObjectNode> before, Optional<ObjectNode> after) {}
