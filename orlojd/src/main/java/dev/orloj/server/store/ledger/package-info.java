/** The ledgers of McpServers: appended with the writes of their Tools, read by clients. */
@NullMarked
package dev.orloj.server.store.ledger;

import org.jspecify.annotations.NullMarked;
