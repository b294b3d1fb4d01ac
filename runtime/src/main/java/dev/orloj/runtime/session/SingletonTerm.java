package dev.orloj.runtime.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.Frozen;
import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.limit.Limit;
import dev.orloj.runtime.limit.LimitReachedException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The term during which this replica may have sessions with singletons. It must be extended before
 * it ends; at its end all claimed sessions are released at once. Measured by the monotonic clock,
 * so changes of the host's clock have no effect. Thread-safe.
 */
public final class SingletonTerm {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final Scheduler clock;
    private final Consumer<Set<ResourceKey>> whenOver;

    @GuardedBy("this")
    private final Set<ResourceKey> claimed = new HashSet<>();

    /** Runs at the end of the term; null when there is none. */
    @GuardedBy("this")
    private Scheduler.@Nullable Task end;

    @GuardedBy("this")
    private long endNanos;

    @GuardedBy("this")
    private long extensions;

    @GuardedBy("this")
    private String owner = "";

    /**
     * @param whenOver receives the servers whose sessions must end; must return at once
     */
    public SingletonTerm(Scheduler clock, Consumer<Set<ResourceKey>> whenOver) {
        this.clock = clock;
        this.whenOver = whenOver;
    }

    /**
     * Starts or extends the term of this replica.
     *
     * @param time duration from now, unless this is called again
     */
    public synchronized void extend(Duration time) {
        if (end != null) {
            end.cancel();
        }
        long number = ++extensions;
        endNanos = System.nanoTime() + time.toNanos();
        end = clock.schedule(time, () -> expire(number));
    }

    /** Sets the replica that owns the singletons, as far as this replica knows. */
    public synchronized void ownedBy(String replica) {
        owner = replica;
    }

    /**
     * Returns the replica that owns the singletons, as far as this replica knows; empty when there
     * is none.
     */
    public synchronized String owner() {
        return owner;
    }

    /** Returns the replica that owns the singletons, unless it is this one or there is none. */
    public synchronized Optional<String> ownerElsewhere() {
        return holds() || owner.isEmpty() ? Optional.empty() : Optional.of(owner);
    }

    /** Returns whether a session with the server may be open, and claims it if so. */
    synchronized boolean admits(ResourceKey server) {
        if (!holds()) {
            return false;
        }
        claimed.add(server);
        return true;
    }

    @GuardedBy("this")
    private boolean holds() {
        return end != null && System.nanoTime() - endNanos < 0;
    }

    /**
     * Claims a session with the server that is about to be opened.
     *
     * @throws LimitReachedException when the session may not be open here
     */
    void claim(ResourceKey server) {
        if (!admits(server)) {
            throw new LimitReachedException(Limit.SINGLETON, whyNot(), RETRY_AFTER);
        }
    }

    private String whyNot() {
        String other = owner();
        return other.isEmpty()
                ? "it is a singleton, and no replica of orlojd owns the singletons at this moment"
                : "it is a singleton, and its one session belongs to the replica \"%s\" of orlojd, which cannot be reached from here: try again if it has just started or its heartbeat is old, call that one, or give it an --advertise-url"
                        .formatted(other);
    }

    private void expire(long number) {
        Set<ResourceKey> over;
        synchronized (this) {
            if (number != extensions) {
                // The term was extended at the same moment.
                return;
            }
            end = null;
            over = Frozen.set(claimed);
            claimed.clear();
        }
        whenOver.accept(over);
    }
}
