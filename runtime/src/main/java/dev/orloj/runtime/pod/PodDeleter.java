package dev.orloj.runtime.pod;

import dev.orloj.api.Backoff;
import dev.orloj.runtime.cluster.ClusterException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Deletes Pods. Repeats a deletion that fails until the API server accepts it or this is closed;
 * the next run of orlojd deletes what is left then. Thread-safe.
 */
final class PodDeleter implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PodDeleter.class);

    /** With a random share, because many Pods wait for one API server. */
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30), 0.5);

    private final ClusterApi api;
    private final Set<String> undeleted = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);

    PodDeleter(ClusterApi api) {
        this.api = api;
    }

    /**
     * Deletes a Pod, now or as soon as the API server accepts it.
     *
     * @param grace as in {@link ClusterApi#deletePod}
     */
    void delete(String pod, Duration grace) {
        try {
            api.deletePod(pod, grace);
        } catch (ClusterException e) {
            if (undeleted.add(pod)) {
                log.atWarn()
                        .addKeyValue("pod", pod)
                        .addKeyValue("error", e.getMessage())
                        .log("Pod is not deleted yet, will retry");
                Thread.ofVirtual()
                        .name("orloj-pod-deletion")
                        .start(() -> deleteUntilDone(pod, grace));
            }
        }
    }

    private void deleteUntilDone(String pod, Duration grace) {
        try {
            for (int failures = 1; !isClosedAfter(failures); failures++) {
                if (isDeleted(pod, grace)) {
                    log.atInfo().addKeyValue("pod", pod).log("Pod is deleted");
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            undeleted.remove(pod);
        }
    }

    private boolean isClosedAfter(int failures) throws InterruptedException {
        Duration delay = BACKOFF.delay(failures, ThreadLocalRandom.current());
        return closed.await(delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private boolean isDeleted(String pod, Duration grace) {
        try {
            api.deletePod(pod, grace);
            return true;
        } catch (ClusterException e) {
            log.atDebug().addKeyValue("pod", pod).log("Pod is not deleted yet");
            return false;
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
