package dev.orloj.runtime.scale;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.pod.ScaleTargetRef;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.cluster.ClusterClient;
import dev.orloj.runtime.workload.WorkloadException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Scales the Deployments and StatefulSets that run servers over HTTP: from 0 to 1 replicas for a
 * session, and to 0 when no session has needed them for the idle time. Never from 1 to more.
 * Thread-safe.
 *
 * <p>A replica of orlojd does not know the sessions of the others, and their clocks may differ. So
 * each target has a Lease. A replica with sessions renews it every {@link #RENEW_PERIOD}, and also
 * before each new session reads the number of replicas. A replica that wants to scale to zero reads
 * the target first and the Lease second. The Lease must have had the same resource version for the
 * idle time and one period, on the clock of the replica that looks. Then it writes 0, on condition
 * that the target is still the version that it read, and reads the Lease again.
 *
 * <p>A session may open in between. It renews the Lease, and then reads the target. Either it reads
 * 0, and scales up itself; or it reads the replicas from before, so it renewed before the write of
 * 0, and the replica that wrote 0 finds the Lease renewed and scales up again. If that replica dies
 * in between, the next renewal of the session finds 0 and scales up.
 */
public final class WorkloadScaler implements ServerScaling, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(WorkloadScaler.class);

    /** How often a replica that has sessions with a target renews its Lease. */
    static final Duration RENEW_PERIOD = Duration.ofSeconds(20);

    /** A Lease that was not renewed for several periods belongs to no session. */
    private static final Duration MIN_UNUSED = RENEW_PERIOD.multipliedBy(3);

    /** How often a session tries to connect while the target starts. */
    static final Duration POLL = Duration.ofSeconds(1);

    /** Requests to the API server at a time, apart from those of sessions that open. */
    private static final int MAX_REQUESTS = 8;

    private final ScaleApi api;
    private final Scheduler clock;
    private final LongSupplier nanoTime;
    private final Executor threads;
    private final Runnable whenClosed;
    private final ConcurrentMap<ScaleTargetRef, ScaleTarget> targets = new ConcurrentHashMap<>();
    private final ConcurrentMap<ResourceKey, ScaleTargetRef> resting = new ConcurrentHashMap<>();
    private final ConcurrentMap<ResourceKey, ScalingUp> scalingUp = new ConcurrentHashMap<>();
    private volatile Consumer<ResourceKey> listener = server -> {};
    private volatile boolean closed = false;

    /**
     * @param namespace of the targets and of their Leases
     * @param owner ConfigMap of that namespace that owns the Leases; empty for none
     * @param replica the orlojd that renews them
     */
    public static WorkloadScaler of(
            ClusterClient client, String namespace, String owner, String replica, Scheduler clock) {
        var threads =
                Executors.newFixedThreadPool(
                        MAX_REQUESTS, Thread.ofVirtual().name("orloj-scale-", 0).factory());
        return new WorkloadScaler(
                new ClusterScaleApi(client, namespace, owner, replica, MIN_UNUSED, clock),
                clock,
                System::nanoTime,
                threads,
                threads::shutdownNow);
    }

    /**
     * @param nanoTime a clock that is never set
     * @param threads run requests that no session waits for
     */
    WorkloadScaler(
            ScaleApi api,
            Scheduler clock,
            LongSupplier nanoTime,
            Executor threads,
            Runnable whenClosed) {
        this.api = api;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.threads = threads;
        this.whenClosed = whenClosed;
        clock.schedule(RENEW_PERIOD, this::renewAll);
    }

    /** The use of a target by one session. */
    public static final class Hold implements AutoCloseable {

        private final ScaleTarget target;
        private final AtomicBoolean over = new AtomicBoolean();

        private Hold(ScaleTarget target) {
            this.target = target;
        }

        /** Ends the use. Idempotent. */
        @Override
        public void close() {
            if (over.compareAndSet(false, true)) {
                target.leave();
            }
        }
    }

    /**
     * Makes sure that the target of a server runs, and waits until a replica is ready and the
     * endpoint accepts connections. The target is not scaled to zero until the result is closed.
     * While the API server does not answer, all depends on the endpoint.
     *
     * @param accepts returns whether the endpoint accepts connections
     * @throws WorkloadException when the target cannot be scaled, or takes too long to start
     */
    public Hold hold(ScaledServer server, BooleanSupplier accepts) throws InterruptedException {
        ScaleTarget target =
                Objects.requireNonNull(
                        targets.compute(
                                server.target(),
                                (ref, known) -> {
                                    ScaleTarget entered = known == null ? newTarget(ref) : known;
                                    entered.enter();
                                    return entered;
                                }));
        Hold hold = new Hold(target);
        boolean runs = false;
        try {
            awaitStart(server, target, accepts);
            runs = true;
            return hold;
        } finally {
            if (scalingUp.remove(server.server()) != null) {
                listener.accept(server.server());
            }
            if (!runs) {
                hold.close();
            }
        }
    }

    private void awaitStart(ScaledServer server, ScaleTarget target, BooleanSupplier accepts)
            throws InterruptedException {
        long deadline = nanoTime.getAsLong() + server.startup().toNanos();
        while (true) {
            ScaleTarget.State state = target.ensure(POLL);
            if (state.mayAccept() && accepts.getAsBoolean()) {
                return;
            }
            if (nanoTime.getAsLong() - deadline >= 0) {
                throw new WorkloadException(
                        "The endpoint accepted no connection within %d s (startup_timeout). %s: %s; see \"kubectl -n %s describe %s %s\""
                                .formatted(
                                        server.startup().toSeconds(),
                                        server.target(),
                                        state.text(),
                                        api.namespace(),
                                        server.target().kind().plural(),
                                        server.target().name()));
            }
            show(server, state.text());
            clock.await(POLL);
        }
    }

    private void show(ScaledServer server, String state) {
        ScalingUp before = scalingUp.get(server.server());
        Instant since = before == null ? clock.instant() : before.since();
        ScalingUp now = new ScalingUp(since, server.target() + ": " + state, server.startup());
        if (!now.equals(scalingUp.put(server.server(), now))) {
            listener.accept(server.server());
        }
    }

    private ScaleTarget newTarget(ScaleTargetRef ref) {
        return new ScaleTarget(ref, api, nanoTime);
    }

    private void renewAll() {
        if (closed) {
            return;
        }
        targets.forEach(
                (ref, target) -> {
                    if (target.isUsed()) {
                        run(() -> renew(ref, target));
                    }
                });
        clock.schedule(RENEW_PERIOD, this::renewAll);
    }

    private static void renew(ScaleTargetRef ref, ScaleTarget target) {
        try {
            target.ensure(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (WorkloadException e) {
            log.atWarn()
                    .addKeyValue("target", ref)
                    .addKeyValue("error", e.getMessage())
                    .log("Lease was not renewed");
        }
    }

    @Override
    public Rest rest(ScaledServer server, Duration idle) {
        ScaleTargetRef before = resting.put(server.server(), server.target());
        if (before != null && !before.equals(server.target())) {
            deleteLease(before);
        }
        ScaleTarget target = targets.computeIfAbsent(server.target(), this::newTarget);
        Duration unused = idle.plus(RENEW_PERIOD);
        Duration most = unused.compareTo(MIN_UNUSED) < 0 ? MIN_UNUSED : unused;
        if (!target.untilLook().isPositive()) {
            target.lookIn(RENEW_PERIOD); // unless the look decides otherwise
            run(() -> look(server.server(), target, most));
        }
        Duration left = target.untilLook();
        return new Rest(target.note(), left.compareTo(POLL) < 0 ? POLL : left);
    }

    private void look(ResourceKey server, ScaleTarget target, Duration unused) {
        String before = target.note();
        target.look(unused);
        if (!target.note().equals(before)) {
            listener.accept(server);
        }
    }

    @Override
    public Optional<ScalingUp> scalingUp(ResourceKey server) {
        return Optional.ofNullable(scalingUp.get(server));
    }

    @Override
    public void forget(ResourceKey server) {
        ScaleTargetRef before = resting.remove(server);
        if (before != null) {
            deleteLease(before);
        }
    }

    @Override
    public void delete(ScaledServer server) {
        resting.remove(server.server());
        deleteLease(server.target());
    }

    private void deleteLease(ScaleTargetRef ref) {
        ScaleTarget target =
                Objects.requireNonNullElseGet(
                        targets.computeIfPresent(ref, (_, known) -> known.isUsed() ? known : null),
                        () -> newTarget(ref));
        run(target::deleteLease);
    }

    private void run(Runnable requests) {
        try {
            threads.execute(requests);
        } catch (RejectedExecutionException e) {
            log.atDebug().log("Target is left as it is, because orlojd stops");
        }
    }

    @Override
    public void onChange(Consumer<ResourceKey> changed) {
        listener = changed;
    }

    @Override
    public void close() {
        closed = true;
        whenClosed.run();
        api.close();
    }
}
