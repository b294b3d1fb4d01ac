/** Serves the ledgers of McpServers. */
@NullMarked
package dev.orloj.server.rest.ledger;

import org.jspecify.annotations.NullMarked;
