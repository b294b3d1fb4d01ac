package dev.orloj.runtime.reading;

import java.io.IOException;

/**
 * What one connection takes of the {@link ReadBudget}. One thread reads; any thread may revoke. The
 * lock of the budget guards what is here.
 */
public final class Reading implements AutoCloseable {

    private final ReadBudget budget;
    private final Runnable end;
    private volatile long bytes = 0;
    private volatile long mostRead = 0;

    Reading(ReadBudget budget, Runnable end) {
        this.budget = budget;
        this.end = end;
    }

    /**
     * Asks for room before memory is taken; may wait for a connection that is being ended.
     *
     * @throws ReadBudgetException when there is none, and this connection takes the most
     */
    public void charge(long more) throws ReadBudgetException {
        if (more != 0 || isRevoked()) {
            budget.charge(this, more);
        }
    }

    /** Memory was given up. */
    public void refund(long less) {
        if (less != 0) {
            budget.refund(this, less);
        }
    }

    /** Why reading failed: the connection was ended because of its size, or as it says itself. */
    public IOException explain(IOException failure) {
        return isRevoked() ? revocation() : failure;
    }

    public boolean isRevoked() {
        return mostRead > 0;
    }

    /** Gives everything back. */
    @Override
    public void close() {
        budget.refund(this, Long.MAX_VALUE);
    }

    long bytes() {
        return bytes;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock of the budget
    void change(long more) {
        bytes += more;
    }

    void revoke(long limit) {
        mostRead = limit;
    }

    void end() {
        end.run();
    }

    ReadBudgetException revocation() {
        return new ReadBudgetException(
                "the messages of all servers that are being read take more than "
                        + mostRead
                        + " bytes of memory, and this server's the most of it"
                        + " (orloj.messages.memory)");
    }
}
