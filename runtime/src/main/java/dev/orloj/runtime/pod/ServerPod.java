package dev.orloj.runtime.pod;

import dev.orloj.runtime.container.spec.Posture;
import dev.orloj.runtime.workload.ContainerRef;
import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.ShutdownBudget;
import dev.orloj.runtime.workload.StopOnce;
import dev.orloj.runtime.workload.Workload;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The Pod of one session with a server, or of a Sandbox, attached to its container. Created by
 * {@link PodEngine}, which deletes the Pod when its container has ended.
 */
public final class ServerPod implements Workload {

    private static final Logger log = LoggerFactory.getLogger(ServerPod.class);

    /** How long the node may take to report the end of a container whose output has ended. */
    private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(3);

    private static final Duration OUTPUT_TIMEOUT = Duration.ofSeconds(1);

    /** How long a node may take to end a container after SIGKILL. */
    private static final Duration REMOVAL_TIMEOUT = Duration.ofSeconds(10);

    private final FollowedPod pod;
    private final ContainerRef container;
    private final String node;
    private final Posture posture;
    private final PodStreams streams;
    private final PodDeleter deleter;
    private final ShutdownBudget shutdownBudget;
    private final @Nullable ReleasedPods released;
    private final int earlierConnections;
    private final StopOnce stop = new StopOnce();
    private volatile Optional<Boolean> obeyedEof = Optional.empty();

    /** Whether the container counts as ended and may still run. */
    private volatile boolean lost = false;

    /**
     * @param status of the Pod
     * @param posture how it is isolated
     * @param streams of its container
     * @param released gets the Pod when orlojd stops; null for a Pod that ends with its session
     * @param past of a Pod that is adopted
     */
    ServerPod(
            FollowedPod pod,
            PodStatus status,
            Posture posture,
            PodStreams streams,
            PodDeleter deleter,
            ShutdownBudget shutdownBudget,
            @Nullable ReleasedPods released,
            Optional<Past> past) {
        this.pod = pod;
        this.container =
                new ContainerRef(
                        status.containerId(),
                        pod.name(),
                        status.imageId(),
                        past.map(Past::createdAt));
        this.node = status.node();
        this.posture = posture;
        this.streams = streams;
        this.deleter = deleter;
        this.shutdownBudget = shutdownBudget;
        this.released = released;
        this.earlierConnections = past.map(Past::connections).orElse(0);
        streams.disconnected().thenRun(this::endOutputAfterReport);
    }

    /**
     * What a Pod was before its session.
     *
     * @param connections the number of its connections
     */
    record Past(Instant createdAt, int connections) {}

    /** Ends the output once the exit status is known, so that the reader finds it. */
    private void endOutputAfterReport() {
        reported().thenRun(streams::endOutput);
    }

    /**
     * Ends the Pod when the connection to its main program is lost, for a Pod whose output has no
     * reader that does so.
     */
    void endWithConnection() {
        streams.disconnected().thenRun(() -> reported().thenRun(this::endWithoutReport));
    }

    private void endWithoutReport() {
        if (!pod.ended().isDone()) {
            lost = true;
            pod.ended()
                    .complete(
                            new ExitStatus(
                                    ExitStatus.UNKNOWN.code(),
                                    false,
                                    "the connection to its main program was lost"));
        }
    }

    /** Completes when the end is reported, or should have been. */
    private CompletableFuture<ExitStatus> reported() {
        return pod.ended()
                .copy()
                .completeOnTimeout(
                        ExitStatus.UNKNOWN, REPORT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns how the Pod is isolated. */
    Posture posture() {
        return posture;
    }

    /** Returns the name of the Pod. */
    public String name() {
        return pod.name();
    }

    /** Returns the name of the node that the Pod runs on. */
    public String node() {
        return node;
    }

    @Override
    public OutputStream stdin() {
        return streams.stdin();
    }

    @Override
    public InputStream stdout() {
        return streams.stdout();
    }

    @Override
    public InputStream stderr() {
        return streams.stderr();
    }

    @Override
    public Optional<Long> pid() {
        return Optional.empty();
    }

    @Override
    public Optional<ContainerRef> container() {
        return Optional.of(container);
    }

    @Override
    public int earlierConnections() {
        return earlierConnections;
    }

    @Override
    public CompletableFuture<ExitStatus> exit() {
        return pod.ended();
    }

    /** Completes when the Pod is gone, shortly after {@link #exit}. */
    CompletableFuture<Void> removed() {
        return pod.removed();
    }

    @Override
    public void stop(Duration grace) {
        stop.run("orloj-stop-" + pod.name(), () -> stopInPhases(grace));
    }

    @Override
    public Optional<Boolean> obeyedEof() {
        return obeyedEof;
    }

    private void stopInPhases(Duration grace) {
        ReleasedPods others = released;
        if (others != null && others.isLeaving() && !pod.ended().isDone()) {
            leaveTo(others);
            return;
        }
        // The stdin of a Pod that may get another connection does not end with this one.
        boolean getsEof = others == null;
        boolean observed = getsEof && !pod.ended().isDone() && grace.isPositive();
        streams.closeStdin();
        boolean obeyed = getsEof ? shutdownBudget.awaits(pod.ended(), grace) : pod.ended().isDone();
        obeyedEof = observed ? Optional.of(obeyed) : Optional.empty();
        if (obeyed) {
            // The last output may still be on its way.
            ShutdownBudget.completes(streams.disconnected(), OUTPUT_TIMEOUT);
        }
        deleter.delete(pod.name(), obeyed && !lost ? Duration.ZERO : wholeSeconds(grace));
        // The node sends SIGKILL after the grace; only then is a Pod late that is not gone.
        if (!obeyed && shutdownBudget.awaits(pod.removed(), grace)
                || ShutdownBudget.completes(pod.removed(), REMOVAL_TIMEOUT)) {
            streams.close();
            return;
        }
        streams.close();
        log.atWarn()
                .addKeyValue("pod", pod.name())
                .addKeyValue("node", node)
                .log("Pod is deleted, and its node does not confirm the end");
    }

    private void leaveTo(ReleasedPods others) {
        pod.leave();
        // First, because another orlojd may attach as soon as the Pod is released.
        streams.close();
        if (!others.release(pod.name())) {
            deleter.delete(pod.name(), Duration.ofSeconds(1));
        }
    }

    /** Zero would remove the Pod without waiting for its node. */
    private static Duration wholeSeconds(Duration grace) {
        return Duration.ofSeconds(Math.max(1, grace.plusMillis(999).toSeconds()));
    }

    /** {@code Pod orloj-default-gmail-0a1b2c3d}. */
    @Override
    public String toString() {
        return "Pod " + pod.name();
    }
}
