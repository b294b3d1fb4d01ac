package dev.orloj.runtime.session;

import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * The state of a replacement session that did not open. A timer retries it after the wait of its
 * failure. Any thread may call {@link #isPending}; the other methods require the lock of the slot.
 */
final class SessionReplacement {

    private final Scheduler clock;
    private volatile @Nullable SessionKey notOpened;
    private Scheduler.@Nullable Task nextTry;

    SessionReplacement(Scheduler clock) {
        this.clock = clock;
    }

    /** Returns whether the latest failed opening was for this key. */
    boolean isPending(SessionKey key) {
        return key.equals(notOpened);
    }

    void failed(
            ServerDefinition definition, Duration retryAfter, Consumer<ServerDefinition> retry) {
        settle();
        notOpened = definition.key();
        nextTry = clock.schedule(retryAfter, () -> retry.accept(definition));
    }

    /** Cancels the retry, because the requested session is open or no longer requested. */
    void settle() {
        notOpened = null;
        if (nextTry != null) {
            nextTry.cancel();
            nextTry = null;
        }
    }
}
