package dev.orloj.controllers.control;

/**
 * Says which of several replicas may act. A replica that lost the lead finishes what it is at; what
 * it writes then is compared with what it read, as all writes are.
 */
@FunctionalInterface
public interface LeaderElector {

    /** For one replica alone. */
    LeaderElector ALWAYS = () -> {};

    /** Returns once this replica leads; at once when it does already. */
    void awaitLeadership() throws InterruptedException;
}
