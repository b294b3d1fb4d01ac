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
 * it ends; at its end all claimed sessions are given up at once. Measured by the monotonic clock:
 * changes of the host's clock have no effect. Thread-safe.
 */
public final class SingletonTerm {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final Scheduler clock;
    private final Consumer<Set<ResourceKey>> whenOver;

    @GuardedBy("this")
    private final Set<ResourceKey> claimed = new HashSet<>();

    /** Rings at its end; null when there is none. */
    @GuardedBy("this")
    private Scheduler.@Nullable Alarm end;

    @GuardedBy("this")
    private long endNanos;

    @GuardedBy("this")
    private long extensions;

    @GuardedBy("this")
    private String owner = "";

    /**
     * @param whenOver is given the servers whose sessions have to end, and returns at once
     */
    public SingletonTerm(Scheduler clock, Consumer<Set<ResourceKey>> whenOver) {
        this.clock = clock;
        this.whenOver = whenOver;
    }

    /**
     * From now on this replica may have them.
     *
     * @param time how long, unless this is called again
     */
    public synchronized void extend(Duration time) {
        if (end != null) {
            end.cancel();
        }
        long number = ++extensions;
        endNanos = System.nanoTime() + time.toNanos();
        end = clock.ring(time, () -> expire(number));
    }

    /** As far as is known here. */
    public synchronized void ownedBy(String replica) {
        owner = replica;
    }

    /** The replica that has them, as far as is known here; empty when none has. */
    public synchronized String owner() {
        return owner;
    }

    /** The replica that has them, unless it is this one or none. */
    public synchronized Optional<String> ownerElsewhere() {
        return holds() || owner.isEmpty() ? Optional.empty() : Optional.of(owner);
    }

    /** Whether a session with the server may be open; if so, it is claimed. */
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
     * Says that a session with the server is about to be opened.
     *
     * @throws LimitReachedException when it may not
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
                : "it is a singleton, and its one session belongs to the replica \"%s\" of orlojd, which cannot be reached from here: call that one, or give it an --advertise-url"
                        .formatted(other);
    }

    private void expire(long number) {
        Set<ResourceKey> over;
        synchronized (this) {
            if (number != extensions) {
                // Extended in the very moment.
                return;
            }
            end = null;
            over = Frozen.set(claimed);
            claimed.clear();
        }
        whenOver.accept(over);
    }
}
