package dev.orloj.runtime.session;

import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * A session that was to take the place of one that serves, and did not open. It is tried again
 * after the wait of its failure, by one alarm, however often it fails. {@link #isPending} may be
 * asked by any thread; the rest is for holders of the lock of the lane.
 */
final class Replacement {

    private final Scheduler clock;
    private volatile @Nullable SessionKey notOpened;
    private Scheduler.@Nullable Alarm nextTry;

    Replacement(Scheduler clock) {
        this.clock = clock;
    }

    /** Whether this is what did not open last. */
    boolean isPending(SessionKey key) {
        return key.equals(notOpened);
    }

    void failed(
            ServerDefinition definition, Duration retryAfter, Consumer<ServerDefinition> retry) {
        settle();
        notOpened = definition.key();
        nextTry = clock.ring(retryAfter, () -> retry.accept(definition));
    }

    /** What is wanted is open, or nothing is wanted any more. */
    void settle() {
        notOpened = null;
        if (nextTry != null) {
            nextTry.cancel();
            nextTry = null;
        }
    }
}
