package dev.orloj.runtime.pod;

import dev.orloj.api.Frozen;
import dev.orloj.api.pod.PodTemplate;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.PodReuse;
import dev.orloj.runtime.container.spec.SharedContainer;
import dev.orloj.runtime.workload.PendingStarts;
import dev.orloj.runtime.workload.ShutdownBudget;
import dev.orloj.runtime.workload.WorkloadException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/**
 * Starts servers and Sandboxes in Pods of a Kubernetes cluster and tracks the running ones, so that
 * all are deleted when orlojd stops, except those that a later run may adopt. Thread-safe.
 */
public final class PodEngine implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PodEngine.class);
    private static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(2);
    private static final Duration MAX_STARTING = Duration.ofSeconds(5);

    /** Starts a container in a prepared Pod, or attaches to one that runs. */
    @FunctionalInterface
    private interface Attachment {
        ServerPod attach(FollowedPod prepared) throws InterruptedException;
    }

    private final ClusterApi api;
    private final PodDeleter deleter;
    private final PodWatch watch;
    private final PodStarter starter;
    private final ReleasedPods released;
    private final Optional<PodAdopter> adopter;
    private final ContainerListener listener;
    private final ShutdownBudget shutdownBudget = new ShutdownBudget();
    private final PodExecs execs;
    private final PendingStarts<ServerPod> starting = new PendingStarts<>();
    private final Set<FollowedPod> waiting = ConcurrentHashMap.newKeySet();
    private final Set<ServerPod> alive = ConcurrentHashMap.newKeySet();
    private volatile boolean closed = false;

    /**
     * @param listener receives events of the images and Pods of servers
     * @throws WorkloadException when the service account cannot be read
     */
    public PodEngine(PodSettings settings, ContainerListener listener) {
        this(settings, listener, new HttpClusterApi(settings));
    }

    PodEngine(PodSettings settings, ContainerListener listener, ClusterApi api) {
        this(settings, listener, api, ReleasedPods.MAX_UNCLAIMED);
    }

    PodEngine(
            PodSettings settings,
            ContainerListener listener,
            ClusterApi api,
            Duration mostUnclaimed) {
        this.api = api;
        this.listener = listener;
        this.execs = new PodExecs(api, shutdownBudget);
        this.deleter = new PodDeleter(api);
        this.released = new ReleasedPods(api, settings.owner(), mostUnclaimed);
        this.watch =
                new PodWatch(
                        api, deleter, PodManifest.selector(settings.replica()), this::takesOver);
        this.starter =
                new PodStarter(
                        api,
                        watch,
                        deleter,
                        new PodOwner(api, settings),
                        settings.replica(),
                        shutdownBudget,
                        released);
        this.adopter =
                settings.adoption()
                        .map(
                                adoption ->
                                        new PodAdopter(
                                                api,
                                                watch,
                                                starter,
                                                released,
                                                new PodMarks(adoption.key()),
                                                settings.replica(),
                                                listener));
    }

    private boolean takesOver(JsonNode pod) {
        return adopter.isPresent() && adopter.get().takesOver(pod);
    }

    /**
     * Starts to watch the Pods of this replica, and deletes those that an earlier run left behind,
     * except those that may be adopted. Returns at once. Called once.
     */
    public void begin() {
        watch.start();
        released.start();
    }

    /**
     * Sets what decides whether a server exists, by its uid. Pods that no orlojd uses are deleted
     * with their server.
     */
    public void followServers(Predicate<String> existing) {
        released.follow(existing);
    }

    /**
     * Creates a Pod and returns once its container runs and orlojd is attached to it.
     *
     * @param template what is added to the Pod of the container
     * @throws WorkloadException when the container cannot be started; nothing is left of the Pod
     */
    public ServerPod start(ContainerSpec spec, PodTemplate template) throws InterruptedException {
        return start(spec, template, new PodReuse.None());
    }

    /**
     * Does the same as {@link #start(ContainerSpec, PodTemplate)}, or attaches to a Pod that runs
     * already.
     *
     * @param reuse whether that is possible, and whether the Pod may keep running; without effect
     *     if the settings have no adoption
     */
    public ServerPod start(ContainerSpec spec, PodTemplate template, PodReuse reuse)
            throws InterruptedException {
        return start(spec, pending -> attach(spec, template, reuse, pending));
    }

    /**
     * Creates a Pod in which several programs can run, and returns once its container runs and
     * orlojd is attached to it. It ends when this connection is lost.
     *
     * @param progress receives events of the image and the Pod
     * @throws WorkloadException when the container cannot be started; nothing is left of the Pod
     */
    public SharedContainer startShared(ContainerSpec spec, ContainerListener progress)
            throws InterruptedException {
        ServerPod pod =
                start(
                        spec,
                        pending ->
                                starter.start(spec, PodTemplate.NONE, pending, Map.of(), progress));
        pod.endWithConnection();
        return new SandboxPod(pod, execs);
    }

    private ServerPod start(ContainerSpec spec, Attachment attachment) throws InterruptedException {
        FollowedPod pending = starter.prepare(spec);
        waiting.add(pending);
        try {
            return starting.run(
                    "orloj-start-" + spec.owner().server(),
                    spec.image().name(),
                    () -> launch(spec, attachment, pending));
        } finally {
            waiting.remove(pending);
            // Without effect on a Pod that has started. Otherwise no caller waits for it any more.
            pending.abandon();
        }
    }

    private ServerPod launch(ContainerSpec spec, Attachment attachment, FollowedPod pending)
            throws InterruptedException {
        requireOpen();
        ServerPod pod = attachment.attach(pending);
        alive.add(pod);
        pod.removed().thenRun(() -> alive.remove(pod));
        pod.exit().thenRun(() -> onVirtualThread(() -> pod.stop(Duration.ZERO)));
        log.atInfo()
                .addKeyValue("pod", pod.name())
                .addKeyValue("node", pod.node())
                .addKeyValue("namespace", spec.owner().namespace())
                .addKeyValue("owner", spec.owner().server())
                .addKeyValue("connections", pod.earlierConnections())
                .log(pod.earlierConnections() > 0 ? "Pod adopted" : "Pod started");
        pod.exit()
                .thenAccept(
                        exit ->
                                log.atInfo()
                                        .addKeyValue("pod", pod.name())
                                        .addKeyValue("exit", exit)
                                        .log("Pod ended"));
        if (closed) {
            pod.stop(Duration.ZERO);
            requireOpen();
        }
        return pod;
    }

    private ServerPod attach(
            ContainerSpec spec, PodTemplate template, PodReuse reuse, FollowedPod pending)
            throws InterruptedException {
        if (adopter.isEmpty()) {
            return starter.start(spec, template, pending, Map.of(), listener);
        }
        Optional<ServerPod> adopted = adopter.get().adopt(spec, template, reuse);
        return adopted.isPresent()
                ? adopted.get()
                : starter.start(
                        spec,
                        template,
                        pending,
                        adopter.get().marks(pending.name(), spec, template, reuse),
                        listener);
    }

    /**
     * Deletes the Pods of another replica, which has died. It may still be attached to them, so
     * they are not adopted.
     *
     * @throws WorkloadException when the API server does not answer
     */
    public void sweep(String replica) {
        for (JsonNode pod : api.list(PodManifest.selector(replica)).items()) {
            api.deletePod(pod.at("/metadata/name").asString(""), Duration.ofSeconds(1));
        }
    }

    /** Returns the Pods that were started and are not gone. */
    public Set<ServerPod> alive() {
        return Frozen.set(alive);
    }

    /** Limits the grace of every stop from now on, also of those in progress. */
    public void hurry(Duration mostGrace) {
        shutdownBudget.atMost(mostGrace);
    }

    /** From now on, Pods that may be adopted keep running when their sessions end. */
    public void leave() {
        if (adopter.isPresent()) {
            released.leave();
        }
    }

    /** Leaves or deletes all Pods without a grace. Returns at once. */
    public void abandonAll() {
        leave();
        shutdownBudget.atMost(Duration.ZERO);
        execs.abandonAll();
        alive().forEach(pod -> onVirtualThread(() -> pod.stop(Duration.ZERO)));
    }

    /** Leaves or stops all Pods concurrently, and starts no more. */
    @Override
    public void close() {
        leave();
        closed = true;
        waiting.forEach(FollowedPod::abandon);
        execs.close();
        // A start that finds the engine closed stops its own Pod.
        if (!starting.await(MAX_STARTING)) {
            log.atWarn().log("Pods are still being started when orlojd ends");
        }
        try (ExecutorService stoppers = Executors.newVirtualThreadPerTaskExecutor()) {
            alive().forEach(pod -> stoppers.execute(() -> pod.stop(SHUTDOWN_GRACE)));
        }
        released.close();
        watch.close();
        deleter.close();
        api.close();
    }

    private static void onVirtualThread(Runnable work) {
        Thread.ofVirtual().name("orloj-pod-end").start(work);
    }

    private void requireOpen() {
        if (closed) {
            throw new WorkloadException("no Pod is started while orlojd stops");
        }
    }
}
