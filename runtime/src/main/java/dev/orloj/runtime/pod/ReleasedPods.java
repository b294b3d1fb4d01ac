package dev.orloj.runtime.pod;

import dev.orloj.runtime.cluster.ClusterException;
import dev.orloj.runtime.container.spec.ContainerLabels;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The Pods that run and that no orlojd is attached to: one left them when it stopped, or found them
 * after it had been killed. Their label of the replica is empty. Thread-safe.
 *
 * <p>Two orlojds never attach to one Pod. Each attaches only to Pods with its own label, and it
 * empties the label only after its own connection has ended. It claims a Pod by setting the empty
 * label in the version of the Pod that it has read, so the API server lets one of several do it.
 * The label of a replica that may still be attached is never changed, whatever its Lease says: such
 * Pods are deleted instead.
 *
 * <p>Deletes the Pods that no replica claims, and those whose server is gone.
 */
final class ReleasedPods implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ReleasedPods.class);

    static final String SELECTOR = PodManifest.selector("");

    /** How long a Pod runs that no session uses. */
    static final Duration MAX_UNCLAIMED = Duration.ofMinutes(5);

    private static final String VERSION = "/metadata/resourceVersion";
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** A sweep is that much more frequent than a Pod that no replica claims gets old. */
    private static final int SWEEPS = 5;

    private final ClusterApi api;
    private final String owner;
    private final Duration mostUnclaimed;
    private final Thread sweeper = Thread.ofVirtual().name("orloj-pod-sweep").unstarted(this::run);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** When each was seen first. Used by the sweeper. */
    private Map<String, Long> unclaimed = new HashMap<>();

    /** Whether a server with this uid exists. */
    private volatile Predicate<String> servers = uid -> true;

    private volatile boolean leaving = false;

    /**
     * @param owner the ConfigMap that owns the Pods of this installation; another one may have Pods
     *     in the same namespace
     */
    ReleasedPods(ClusterApi api, String owner, Duration mostUnclaimed) {
        this.api = api;
        this.owner = owner;
        this.mostUnclaimed = mostUnclaimed;
    }

    /** Starts to delete the Pods that no replica claims. Called once. */
    void start() {
        if (!owner.isEmpty()) {
            sweeper.start();
        }
    }

    /** Sets what decides whether a server with a uid exists. */
    void follow(Predicate<String> existingServers) {
        servers = existingServers;
    }

    /** Pods that may be adopted are released from now on, in place of being deleted. */
    void leave() {
        leaving = true;
    }

    boolean isLeaving() {
        return leaving;
    }

    /**
     * Gives up a Pod of this replica, whose connection has ended.
     *
     * @return whether another orlojd may claim it now
     */
    boolean release(String pod) {
        try {
            api.patchPod(
                    pod, Map.of("metadata", Map.of("labels", Map.of(ContainerLabels.REPLICA, ""))));
            log.atInfo().addKeyValue("pod", pod).log("Pod keeps running for the next orlojd");
            return true;
        } catch (ClusterException e) {
            log.atWarn()
                    .addKeyValue("pod", pod)
                    .addKeyValue("error", e.getMessage())
                    .log("Pod cannot be left to another orlojd, and is deleted");
            return false;
        }
    }

    /**
     * Makes a released Pod one of this replica.
     *
     * @param pod as it was read
     * @param annotations that change
     * @return false when it has changed since: another orlojd may have claimed it
     */
    boolean claim(JsonNode pod, String replica, Map<String, String> annotations) {
        try {
            api.patchPod(
                    name(pod),
                    Map.of(
                            "metadata",
                            Map.of(
                                    "resourceVersion",
                                    pod.at(VERSION).asString(""),
                                    "labels",
                                    Map.of(ContainerLabels.REPLICA, replica),
                                    "annotations",
                                    annotations)));
            return true;
        } catch (ClusterException e) {
            if (e.isConflict() || e.isNotFound()) {
                return false;
            }
            throw e;
        }
    }

    /** Returns the released Pods of a server that are not being deleted. */
    List<JsonNode> of(String server) {
        return list("%s,%s=%s".formatted(SELECTOR, ContainerLabels.UID, server));
    }

    private List<JsonNode> list(String selector) {
        return api.list(selector).items().stream()
                .filter(pod -> pod.at("/metadata/deletionTimestamp").isMissingNode())
                .filter(this::isOwned)
                .toList();
    }

    private boolean isOwned(JsonNode pod) {
        return pod.at("/metadata/ownerReferences")
                .valueStream()
                .anyMatch(reference -> reference.path("name").asString("").equals(owner));
    }

    /** Deletes a released Pod, unless it has changed since it was read. */
    void delete(JsonNode pod, String why) {
        try {
            api.deletePod(name(pod), GRACE, pod.at(VERSION).asString(""));
            log.atInfo()
                    .addKeyValue("pod", name(pod))
                    .addKeyValue("reason", why)
                    .log("Pod that no orlojd uses is deleted");
        } catch (ClusterException e) {
            log.atDebug()
                    .addKeyValue("pod", name(pod))
                    .addKeyValue("error", e.getMessage())
                    .log("Pod that no orlojd uses is not deleted");
        }
    }

    private void run() {
        long period = Math.max(1, mostUnclaimed.dividedBy(SWEEPS).toMillis());
        try {
            while (!closed.await(period, TimeUnit.MILLISECONDS)) {
                sweep();
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    private void sweep() {
        Map<String, Long> seen = new HashMap<>();
        try {
            for (JsonNode pod : list(SELECTOR)) {
                sweep(pod, seen);
            }
            unclaimed = seen;
        } catch (ClusterException e) {
            log.atDebug().addKeyValue("error", e.getMessage()).log("Pods are not swept");
        }
    }

    private void sweep(JsonNode pod, Map<String, Long> seen) {
        String server = pod.path("metadata").path("labels").path(ContainerLabels.UID).asString("");
        String claims = name(pod) + " " + PodMarks.connections(pod);
        long since = unclaimed.getOrDefault(claims, System.nanoTime());
        if (!servers.test(server)) {
            delete(pod, "its server is gone");
        } else if (System.nanoTime() - since >= mostUnclaimed.toNanos()) {
            delete(pod, "no session has used it for %d s".formatted(mostUnclaimed.toSeconds()));
        } else {
            seen.put(claims, since);
        }
    }

    private static String name(JsonNode pod) {
        return pod.at("/metadata/name").asString("");
    }

    @Override
    public void close() {
        closed.countDown();
        sweeper.interrupt();
    }
}
