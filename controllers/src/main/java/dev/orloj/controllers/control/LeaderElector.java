package dev.orloj.controllers.control;

/**
 * Decides which of several replicas may act. A replica that lost the lead finishes its current
 * work. Its writes have the version that it read as a precondition, like all writes.
 */
@FunctionalInterface
public interface LeaderElector {

    /** The elector for a single replica. */
    LeaderElector ALWAYS = () -> {};

    /** Returns once this replica leads, or immediately if it already does. */
    void awaitLeadership() throws InterruptedException;
}
