package dev.orloj.runtime.limit;

import io.github.resilience4j.bulkhead.Bulkhead;

import java.util.Optional;

/**
 * The permit of one call. Belongs to one thread. It must be closed when the call has ended, after
 * its outcome was recorded, if the outcome indicates the state of the connection.
 */
public final class CallPermit implements AutoCloseable {

    private final Bulkhead present;
    private final Bulkhead working;
    private final Optional<CallBreaker> breaker;
    private boolean judged = false;

    CallPermit(Bulkhead present, Bulkhead working, Optional<CallBreaker> breaker) {
        this.present = present;
        this.working = working;
        this.breaker = breaker;
    }

    /** Records that the server sent any response, so the connection works. */
    public void answered() {
        judged = true;
        breaker.ifPresent(CallBreaker::answered);
    }

    /** Records that the connection could not be opened, or broke. */
    public void lost(RuntimeException cause) {
        judged = true;
        breaker.ifPresent(judge -> judge.lost(cause));
    }

    @Override
    public void close() {
        if (!judged) {
            breaker.ifPresent(CallBreaker::undecided);
        }
        working.onComplete();
        present.onComplete();
    }
}
