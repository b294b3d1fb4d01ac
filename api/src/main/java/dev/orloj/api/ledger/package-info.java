/**
 * The ledger of an McpServer: canonical JSON, the digests of tool definitions, entries chained by
 * hash, and their replay.
 */
@NullMarked
package dev.orloj.api.ledger;

import org.jspecify.annotations.NullMarked;
