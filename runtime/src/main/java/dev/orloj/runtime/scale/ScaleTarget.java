package dev.orloj.runtime.scale;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.pod.ScaleTargetRef;
import dev.orloj.runtime.cluster.ClusterException;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Scales one target, as {@link WorkloadScaler} explains. Thread-safe. Its lock is held during
 * requests, so that this replica does one thing at a time with the target.
 */
final class ScaleTarget {

    private static final Logger log = LoggerFactory.getLogger(ScaleTarget.class);

    private final ScaleTargetRef ref;
    private final ScaleApi api;
    private final LongSupplier nanoTime;
    private final AtomicInteger sessions = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();

    /** When this replica had a session last. */
    private volatile long usedAt;

    /** When to look next whether it is idle. */
    private volatile long lookAt;

    /** What is known of it while it is idle. */
    private volatile String note = "";

    /** The version of the Lease that was seen last; null before the first look. */
    @GuardedBy("lock")
    private @Nullable String lease;

    @GuardedBy("lock")
    private long leaseSeenAt;

    /** When it was last made sure that it runs; null if that may have changed since. */
    @GuardedBy("lock")
    private @Nullable Long ensuredAt;

    @GuardedBy("lock")
    private State state = new State("", true);

    /**
     * What the latest look at the target found.
     *
     * @param text for messages
     * @param mayAccept false if no replica is ready, so that a proxy accepts connections at most
     */
    record State(String text, boolean mayAccept) {}

    ScaleTarget(ScaleTargetRef ref, ScaleApi api, LongSupplier nanoTime) {
        this.ref = ref;
        this.api = api;
        this.nanoTime = nanoTime;
        this.usedAt = nanoTime.getAsLong();
        this.lookAt = usedAt;
    }

    void enter() {
        sessions.incrementAndGet();
    }

    void leave() {
        usedAt = nanoTime.getAsLong();
        sessions.decrementAndGet();
    }

    boolean isUsed() {
        return sessions.get() > 0;
    }

    String note() {
        return note;
    }

    /** Returns the time until the next look; zero or negative if it is due. */
    Duration untilLook() {
        return Duration.ofNanos(lookAt - nanoTime.getAsLong());
    }

    void lookIn(Duration delay) {
        lookAt = nanoTime.getAsLong() + delay.toNanos();
    }

    /**
     * Makes sure that there is at least one replica, unless that was done within the given time.
     *
     * @return the state of the target, or why the API server could not be asked now
     * @throws WorkloadException when it cannot be scaled until a user does something
     */
    State ensure(Duration recently) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Long before = ensuredAt;
            if (before == null || nanoTime.getAsLong() - before >= recently.toNanos()) {
                state = ensuredOrWhyNot();
                ensuredAt = nanoTime.getAsLong();
            }
            return state;
        } finally {
            lock.unlock();
        }
    }

    private State ensuredOrWhyNot() {
        try {
            return ensured();
        } catch (ClusterException e) {
            if (!e.mayPass() && !e.isConflict()) {
                throw e;
            }
            return new State(String.valueOf(e.getMessage()), !e.isConflict());
        }
    }

    private State ensured() {
        api.renewLease(ref);
        ScaleApi.Workload found = find();
        if (found.replicas() > 0) {
            String text =
                    "it has %d %s, %d ready"
                            .formatted(
                                    found.replicas(),
                                    found.replicas() == 1 ? "replica" : "replicas",
                                    found.ready());
            return new State(text, found.ready() > 0);
        }
        api.scale(ref, 1, found.version());
        log.atInfo().addKeyValue("target", ref).log("Target was scaled from 0 to 1");
        return new State("it was scaled from 0 to 1", false);
    }

    /**
     * @throws WorkloadException when it does not exist, or orlojd is not allowed to scale it
     */
    private ScaleApi.Workload find() {
        ScaleApi.Workload found =
                api.find(ref)
                        .orElseThrow(
                                () ->
                                        new WorkloadException(
                                                "%s does not exist in namespace \"%s\" of the cluster; create it, or correct spec.scale_target_ref"
                                                        .formatted(ref, api.namespace())));
        if (!found.allowed()) {
            throw new WorkloadException(
                    "%s does not have the label %s=true, which allows orlojd to scale it; run \"kubectl -n %s label %s %s %s=true\""
                            .formatted(
                                    ref,
                                    ScaleApi.LABEL,
                                    api.namespace(),
                                    ref.kind().plural(),
                                    ref.name(),
                                    ScaleApi.LABEL));
        }
        return found;
    }

    /**
     * Scales to zero if no replica has used the target for the given time, and sets the note and
     * the time of the next look.
     */
    void look(Duration unused) {
        lock.lock();
        try {
            lookIn(unused);
            note = isUsed() ? "" : looked(unused);
        } catch (ClusterException e) {
            lookIn(WorkloadScaler.RENEW_PERIOD);
            // Its owner has changed it, or its status did.
            note = e.isConflict() ? "" : whyNot(e);
        } catch (WorkloadException e) {
            note = whyNot(e);
        } finally {
            lock.unlock();
        }
    }

    private String whyNot(WorkloadException e) {
        return "%s is not scaled to 0: %s".formatted(ref, e.getMessage());
    }

    @GuardedBy("lock")
    private String looked(Duration unused) {
        ScaleApi.Workload found = find();
        if (found.replicas() == 0) {
            lease = null;
            return atZero();
        }
        String version = api.leaseVersion(ref);
        long now = nanoTime.getAsLong();
        if (!version.equals(lease)) {
            lease = version;
            leaseSeenAt = now;
        }
        long left = Math.max(leaseSeenAt, usedAt) + unused.toNanos() - now;
        if (left > 0) {
            lookIn(Duration.ofNanos(left));
            return "";
        }
        ensuredAt = null;
        lease = null;
        api.scale(ref, 0, found.version());
        log.atInfo().addKeyValue("target", ref).log("Idle target was scaled to 0");
        if (api.leaseVersion(ref).equals(version)) {
            return atZero();
        }
        // A session has renewed the Lease meanwhile, and may have seen the replicas from before.
        ensured();
        return "";
    }

    private String atZero() {
        return ref + " has 0 replicas";
    }

    /** Deletes its Lease if this replica does not use it. */
    void deleteLease() {
        lock.lock();
        try {
            if (!isUsed()) {
                api.deleteLease(ref);
            }
        } catch (ClusterException e) {
            log.atWarn()
                    .addKeyValue("target", ref)
                    .addKeyValue("error", e.getMessage())
                    .log("Lease was not deleted");
        } finally {
            lock.unlock();
        }
    }
}
