package dev.orloj.server.store.ledger;

import dev.orloj.api.approval.HeldDefinition;

/** Whether a session may be used, by what runs in it. */
public sealed interface CodeDecision {

    /**
     * It may.
     *
     * @param warning why a user should look at it; empty if there is no reason
     */
    record Admitted(String warning) implements CodeDecision {}

    /**
     * It may not.
     *
     * @param isNew whether this was not held before
     */
    record Refused(HeldDefinition held, boolean isNew) implements CodeDecision {}
}
