package dev.orloj.runtime.pod;

import dev.orloj.api.Backoff;
import dev.orloj.runtime.cluster.ClusterException;
import dev.orloj.runtime.container.spec.EngineUnavailableException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * Follows all Pods of this orlojd with one list and one watch. Deletes those that nothing follows:
 * an orlojd of the same replica left them behind when it died, or the API server stored them after
 * their creation had failed for orlojd. Thread-safe.
 */
final class PodWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PodWatch.class);
    private static final Duration FIRST_LIST_TIMEOUT = Duration.ofSeconds(15);

    /** With a random share, because many orlojds lose one API server at the same time. */
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10), 0.5);

    /** A watch that lasts this long works; one that ends sooner counts as failed. */
    private static final Duration SETTLED = Duration.ofSeconds(10);

    private final ClusterApi api;
    private final PodDeleter deleter;
    private final String selector;
    private final Predicate<JsonNode> takesOver;
    private final Backoff backoff;
    private final ConcurrentMap<String, FollowedPod> followed = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> listed = new CompletableFuture<>();
    private final Thread thread = Thread.ofVirtual().name("orloj-pod-watch").unstarted(this::run);
    private volatile String lastFailure = "";
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean started = false;

    /**
     * @param selector selects the Pods of this orlojd
     */
    PodWatch(ClusterApi api, PodDeleter deleter, String selector) {
        this(api, deleter, selector, pod -> false, BACKOFF);
    }

    PodWatch(ClusterApi api, PodDeleter deleter, String selector, Backoff backoff) {
        this(api, deleter, selector, pod -> false, backoff);
    }

    /**
     * @param takesOver offered each Pod that nothing follows; if it returns true, the Pod stays
     */
    PodWatch(ClusterApi api, PodDeleter deleter, String selector, Predicate<JsonNode> takesOver) {
        this(api, deleter, selector, takesOver, BACKOFF);
    }

    private PodWatch(
            ClusterApi api,
            PodDeleter deleter,
            String selector,
            Predicate<JsonNode> takesOver,
            Backoff backoff) {
        this.takesOver = takesOver;
        this.api = api;
        this.deleter = deleter;
        this.selector = selector;
        this.backoff = backoff;
    }

    /**
     * Starts the watch if it does not run, and waits for its first list.
     *
     * @throws EngineUnavailableException when the API server does not answer, or refuses the list
     */
    void require() throws InterruptedException {
        start();
        try {
            listed.get(FIRST_LIST_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            String cause =
                    lastFailure.isEmpty() ? "The " + api.name() + " does not answer" : lastFailure;
            throw new EngineUnavailableException(
                    cause + "; see to it that orlojd reaches it, and may list and watch Pods", e);
        }
    }

    synchronized void start() {
        if (!started) {
            started = true;
            thread.start();
        }
    }

    /** Follows a Pod, which is created only after this call. */
    void follow(FollowedPod pod) {
        followed.put(pod.name(), pod);
    }

    /** Ends the interest in a Pod: it is deleted if it appears later. */
    void forget(FollowedPod pod) {
        followed.remove(pod.name(), pod);
    }

    private void run() {
        try {
            int failures = 0;
            while (isOpen()) {
                long began = System.nanoTime();
                try {
                    watchFrom(list());
                } catch (ClusterException e) {
                    note(e);
                }
                failures = hasLasted(began, SETTLED) ? 1 : failures + 1;
                pause(failures);
            }
        } catch (InterruptedException e) {
            // The watch is closed.
        }
    }

    private static boolean hasLasted(long began, Duration time) {
        return System.nanoTime() - began >= time.toNanos();
    }

    private boolean isOpen() {
        return closed.getCount() > 0;
    }

    private void note(ClusterException failure) {
        String message = String.valueOf(failure.getMessage());
        if (!failure.isExpired() && isOpen() && !message.equals(lastFailure)) {
            log.atWarn().addKeyValue("error", message).log("Pods are not watched, will retry");
        }
        lastFailure = message;
    }

    private void pause(int failures) throws InterruptedException {
        long delay = backoff.delay(failures, ThreadLocalRandom.current()).toMillis();
        boolean _ = closed.await(delay, TimeUnit.MILLISECONDS);
    }

    private String list() {
        // Only a Pod that was created before the list is missing in it because it is gone.
        Map<String, FollowedPod> missing = new HashMap<>(followed);
        missing.values().removeIf(pod -> !pod.isCreated());
        ClusterApi.Pods pods = api.list(selector);
        for (JsonNode pod : pods.items()) {
            String name = name(pod);
            missing.remove(name);
            FollowedPod known = followed.get(name);
            if (known != null) {
                if (known.accepts(pod)) {
                    known.update(pod);
                }
            } else {
                deleteLeftover(pod);
            }
        }
        missing.values().forEach(pod -> gone(pod, ""));
        lastFailure = "";
        listed.complete(null);
        return pods.resourceVersion();
    }

    private void deleteLeftover(JsonNode pod) {
        if (!pod.at("/metadata/deletionTimestamp").isMissingNode()) {
            return;
        }
        if (takesOver.test(pod)) {
            return;
        }
        String name = name(pod);
        log.atWarn().addKeyValue("pod", name).log("Pod that was left behind is deleted");
        deleter.delete(name, Duration.ofSeconds(1));
    }

    /**
     * Watches until a watch fails or ends early; one that the API server ends after its time is
     * continued.
     */
    private void watchFrom(String version) throws InterruptedException {
        String[] latest = {version};
        long began;
        do {
            began = System.nanoTime();
            api.watch(
                    selector,
                    latest[0],
                    change -> {
                        latest[0] =
                                change.pod().at("/metadata/resourceVersion").asString(latest[0]);
                        apply(change);
                    });
        } while (isOpen() && hasLasted(began, SETTLED));
    }

    private void apply(ClusterApi.Change change) {
        if (change.type().equals("BOOKMARK")) {
            return;
        }
        boolean deleted = change.type().equals("DELETED");
        FollowedPod pod = followed.get(name(change.pod()));
        if (pod != null) {
            if (pod.accepts(change.pod())) {
                pod.update(change.pod());
                if (deleted) {
                    gone(pod, PodStatus.cause(change.pod()));
                }
            }
        } else if (!deleted) {
            deleteLeftover(change.pod());
        }
    }

    private void gone(FollowedPod pod, String cause) {
        pod.remove(cause);
        forget(pod);
    }

    private static String name(JsonNode pod) {
        return pod.at("/metadata/name").asString("");
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
    }
}
