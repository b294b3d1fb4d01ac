/** What the ledgers of tools cost: their replay, and what they add to a sync. */
@NullMarked
package dev.orloj.benchmarks.ledger;

import org.jspecify.annotations.NullMarked;
