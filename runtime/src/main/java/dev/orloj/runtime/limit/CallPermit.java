package dev.orloj.runtime.limit;

import io.github.resilience4j.bulkhead.Bulkhead;

import java.util.Optional;

/**
 * One call that was let in. Belongs to one thread. Closed when the call has ended, after it was
 * said how, if that says anything about the connection.
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

    /** The server said something, whatever it was: the connection works. */
    public void answered() {
        judged = true;
        breaker.ifPresent(CallBreaker::answered);
    }

    /** There was no connection, or it broke. */
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
