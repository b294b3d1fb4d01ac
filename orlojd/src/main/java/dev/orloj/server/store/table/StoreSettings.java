package dev.orloj.server.store.table;

import java.time.Duration;

/**
 * Sizes and timeouts of the store.
 *
 * @param keepChangesFor how long a change stays in the log at least
 * @param keepChanges how many of the newest changes stay in the log at least
 * @param changesPerPartition changes that the log drops together
 * @param windowChanges how many of the newest changes are kept in memory for watches
 * @param pollEvery how often the log is read without an announcement
 * @param bookmarkEvery how long a watch may be idle before it sends a bookmark
 * @param headTimeout how long a list waits for a revision that has not arrived
 * @param maintainEvery how often the log is extended and compacted
 */
public record StoreSettings(
        Duration keepChangesFor,
        long keepChanges,
        long changesPerPartition,
        int windowChanges,
        Duration pollEvery,
        Duration bookmarkEvery,
        Duration headTimeout,
        Duration maintainEvery) {

    public static final StoreSettings DEFAULTS =
            new StoreSettings(
                    Duration.ofHours(1),
                    10_000,
                    20_000,
                    1_024,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(50),
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(30));

    public StoreSettings {
        if (keepChanges < 0 || changesPerPartition < 1 || windowChanges < 1) {
            throw new IllegalArgumentException(
                    "keepChanges %d, changesPerPartition %d and windowChanges %d must be positive"
                            .formatted(keepChanges, changesPerPartition, windowChanges));
        }
        for (Duration duration :
                new Duration[] {pollEvery, bookmarkEvery, headTimeout, maintainEvery}) {
            if (!duration.isPositive()) {
                throw new IllegalArgumentException("duration " + duration + " must be positive");
            }
        }
    }
}
