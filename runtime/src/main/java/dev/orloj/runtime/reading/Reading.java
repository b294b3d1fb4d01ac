package dev.orloj.runtime.reading;

import java.io.IOException;

/**
 * The part of the {@link ReadBudget} that one connection uses. One thread reads; any thread may
 * revoke. The lock of the budget guards the fields.
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
     * Charges memory before it is allocated; may wait for a connection that is being ended.
     *
     * @throws ReadBudgetException when no memory is left and this connection uses the most
     */
    public void charge(long more) throws ReadBudgetException {
        if (more != 0 || isRevoked()) {
            budget.charge(this, more);
        }
    }

    /** Releases memory. */
    public void refund(long less) {
        if (less != 0) {
            budget.refund(this, less);
        }
    }

    /**
     * Returns why reading failed: the connection was ended because of its size, or the original
     * failure.
     */
    public IOException explain(IOException failure) {
        return isRevoked() ? revocation() : failure;
    }

    public boolean isRevoked() {
        return mostRead > 0;
    }

    /** Releases all memory. */
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
