/** Reads the ledgers of servers: history, differences, and the check of the chain. */
@NullMarked
package dev.orloj.cli.ledger;

import org.jspecify.annotations.NullMarked;
