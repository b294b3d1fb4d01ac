package dev.orloj.runtime.pod;

import dev.orloj.api.pod.PodTemplate;
import dev.orloj.runtime.cluster.ClusterException;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.Posture;
import dev.orloj.runtime.workload.ShutdownBudget;
import dev.orloj.runtime.workload.WorkloadException;

import tools.jackson.databind.JsonNode;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Creates the Pod of a server with its Secret, waits until its container runs, and attaches to it.
 * Leaves nothing behind when a step fails. Thread-safe.
 */
final class PodStarter {

    /** For a node and the pull of the image, as for the pull of a container. */
    private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

    private static final int MAX_NAME = 63;
    private static final int SUFFIX_BYTES = 4;

    private final ClusterApi api;
    private final PodWatch watch;
    private final PodDeleter deleter;
    private final PodOwner owner;
    private final String replica;
    private final ShutdownBudget shutdownBudget;
    private final ReleasedPods released;
    private final SecureRandom random = new SecureRandom();

    PodStarter(
            ClusterApi api,
            PodWatch watch,
            PodDeleter deleter,
            PodOwner owner,
            String replica,
            ShutdownBudget shutdownBudget,
            ReleasedPods released) {
        this.api = api;
        this.watch = watch;
        this.deleter = deleter;
        this.owner = owner;
        this.replica = replica;
        this.shutdownBudget = shutdownBudget;
        this.released = released;
    }

    /** Chooses the name of the Pod that is started next. */
    FollowedPod prepare(ContainerSpec spec) {
        return new FollowedPod(name(spec.owner()));
    }

    /**
     * @param followed the prepared Pod; the start fails soon after it is abandoned
     * @param marks as in {@link PodManifest}
     * @param listener receives events of the image and the Pod
     * @throws WorkloadException when the container cannot be started
     */
    ServerPod start(
            ContainerSpec spec,
            PodTemplate template,
            FollowedPod followed,
            Map<String, String> marks,
            ContainerListener listener)
            throws InterruptedException {
        watch.require();
        PodManifest manifest =
                new PodManifest(followed.name(), spec, template, replica, owner.reference(), marks);
        boolean attached = false;
        try {
            watch.follow(followed);
            create(manifest, followed);
            PodStatus status = awaitContainer(spec, followed, listener);
            PodStreams streams = attach(followed);
            attached = true;
            Posture posture = posture(manifest, status);
            listener.started(spec.owner(), posture);
            return new ServerPod(
                    followed,
                    status,
                    posture,
                    streams,
                    deleter,
                    shutdownBudget,
                    marks.isEmpty() ? null : released,
                    Optional.empty());
        } finally {
            if (!attached) {
                discard(followed);
            }
        }
    }

    /** Returns the Pod of a session that did not start it. */
    ServerPod adopted(
            FollowedPod followed,
            PodStatus status,
            Posture posture,
            PodStreams streams,
            ServerPod.Past past) {
        return new ServerPod(
                followed,
                status,
                posture,
                streams,
                deleter,
                shutdownBudget,
                released,
                Optional.of(past));
    }

    /** Returns a new name, which is also the host name in the Pod. */
    private String name(ContainerOwner server) {
        byte[] suffix = new byte[SUFFIX_BYTES];
        random.nextBytes(suffix);
        String prefix =
                "orloj-%s-%s".formatted(server.namespace(), server.server()).replace('.', '-');
        int most = MAX_NAME - 1 - 2 * SUFFIX_BYTES;
        return prefix.substring(0, Math.min(most, prefix.length()))
                + "-"
                + HexFormat.of().formatHex(suffix);
    }

    private void create(PodManifest manifest, FollowedPod followed) {
        JsonNode pod = api.create("pods", manifest.pod());
        // Its state comes from the watch alone: the watch may have reported a newer one by now.
        followed.created();
        PodCheck.requireIsolation(pod, manifest);
        if (PodSecret.isNeeded(manifest.spec())) {
            String uid = pod.at("/metadata/uid").asString("");
            api.create("secrets", PodSecret.of(manifest.name(), uid, manifest.spec()));
        }
    }

    private PodStatus awaitContainer(
            ContainerSpec spec, FollowedPod followed, ContainerListener listener)
            throws InterruptedException {
        ContainerOwner server = spec.owner();
        PodStatus status =
                followed.await(
                        pod -> pod.isRunning() || !pod.failure().isEmpty(),
                        START_TIMEOUT,
                        pod -> {
                            if (!pod.unschedulable().isEmpty()) {
                                listener.scheduled(server, followed.name(), pod.unschedulable());
                            }
                        });
        if (status == null) {
            throw failed(followed, "the API server reports no state of it");
        }
        listener.scheduled(server, followed.name(), status.unschedulable());
        requireRunning(spec, followed, status, listener);
        listener.pulled(server, spec.image().name());
        return status;
    }

    private static void requireRunning(
            ContainerSpec spec,
            FollowedPod followed,
            PodStatus status,
            ContainerListener listener) {
        if (followed.isAbandoned()) {
            throw failed(followed, "its start was broken off");
        }
        if (status.imageFailure()) {
            String cause =
                    "Image \"%s\" could not be pulled by node \"%s\": %s"
                            .formatted(spec.image().name(), status.node(), status.failure());
            listener.notPulled(spec.owner(), spec.image().name(), cause);
            throw new WorkloadException(cause);
        }
        if (!status.failure().isEmpty()) {
            throw failed(followed, status.failure());
        }
        if (followed.ended().isDone()) {
            throw failed(followed, ended(followed, status));
        }
        if (!status.isRunning()) {
            throw failed(
                    followed,
                    "it does not run after %d minutes: %s"
                            .formatted(START_TIMEOUT.toMinutes(), status.waitsFor()));
        }
    }

    private static String ended(FollowedPod followed, PodStatus status) {
        String end = "its container ended with " + followed.ended().join();
        return status.lastWords().isEmpty() ? end : end + ": " + status.lastWords();
    }

    /** Attaches, and explains a failure by the end of a container that ran only for a moment. */
    private PodStreams attach(FollowedPod followed) throws InterruptedException {
        try {
            return api.attach(followed.name());
        } catch (ClusterException e) {
            PodStatus status = followed.await(pod -> false, Duration.ofSeconds(2), pod -> {});
            if (status != null && followed.ended().isDone()) {
                throw failed(followed, ended(followed, status));
            }
            throw e;
        }
    }

    private static WorkloadException failed(FollowedPod followed, String why) {
        return new WorkloadException(
                "Pod \"%s\" did not start: %s".formatted(followed.name(), why));
    }

    static Posture posture(PodManifest manifest, PodStatus status) {
        ContainerSpec spec = manifest.spec();
        String digest = status.imageId().contains("@") ? status.imageId() : "";
        return new Posture(
                spec.image().name(),
                status.imageId(),
                digest,
                manifest.user().text(),
                spec.isolation().network().mode().name().toLowerCase(Locale.ROOT),
                spec.isolation().limits(),
                manifest.relaxations());
    }

    /** Deletes a Pod that is not used. */
    void discard(FollowedPod followed) {
        deleter.delete(followed.name(), Duration.ofSeconds(1));
        watch.forget(followed);
    }
}
