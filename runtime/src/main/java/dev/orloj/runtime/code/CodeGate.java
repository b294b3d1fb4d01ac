package dev.orloj.runtime.code;

import dev.orloj.api.ledger.RunningCode;
import dev.orloj.runtime.session.definition.ServerDefinition;

/** Decides whether a session that opens may be used, by what runs in it. Thread-safe. */
@FunctionalInterface
public interface CodeGate {

    /** Admits every session. */
    CodeGate OPEN = (_, _) -> {};

    /**
     * Returns if the session may be used. Called once for each session, before its first request of
     * a client.
     *
     * @throws CodeHeldException if the policy of the server does not serve what runs
     */
    void admit(ServerDefinition definition, RunningCode code);
}
