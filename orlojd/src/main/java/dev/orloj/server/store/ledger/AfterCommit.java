package dev.orloj.server.store.ledger;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Runs what must not happen if the transaction of the caller is undone. */
final class AfterCommit {

    private AfterCommit() {}

    static void run(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        action.run();
                    }
                });
    }
}
