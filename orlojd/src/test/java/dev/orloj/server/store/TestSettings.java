package dev.orloj.server.store;

import dev.orloj.server.store.table.StoreSettings;

import java.time.Duration;

/** Settings that differ from the defaults in what a test is about. */
final class TestSettings {

    private static final StoreSettings USUAL = StoreSettings.DEFAULTS;

    private TestSettings() {}

    static StoreSettings retaining(
            Duration keepFor, long changes, long perPartition, int windowChanges) {
        return new StoreSettings(
                keepFor,
                changes,
                perPartition,
                windowChanges,
                USUAL.pollEvery(),
                USUAL.bookmarkEvery(),
                USUAL.headTimeout(),
                USUAL.maintainEvery());
    }

    static StoreSettings retaining(Duration keepFor, long changes, long perPartition) {
        return retaining(keepFor, changes, perPartition, USUAL.windowChanges());
    }

    static StoreSettings timed(
            Duration poll, Duration bookmark, Duration headTimeout, int windowChanges) {
        return new StoreSettings(
                USUAL.keepChangesFor(),
                USUAL.keepChanges(),
                USUAL.changesPerPartition(),
                windowChanges,
                poll,
                bookmark,
                headTimeout,
                USUAL.maintainEvery());
    }

    static StoreSettings timed(Duration poll, Duration bookmark, Duration headTimeout) {
        return timed(poll, bookmark, headTimeout, USUAL.windowChanges());
    }

    static StoreSettings windowOf(int changes) {
        return timed(USUAL.pollEvery(), USUAL.bookmarkEvery(), USUAL.headTimeout(), changes);
    }
}
