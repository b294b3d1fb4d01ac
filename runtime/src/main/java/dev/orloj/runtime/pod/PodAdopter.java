package dev.orloj.runtime.pod;

import dev.orloj.api.pod.PodTemplate;
import dev.orloj.runtime.cluster.ClusterException;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.PodReuse;
import dev.orloj.runtime.container.spec.Posture;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;

/**
 * Attaches sessions to Pods that an earlier run of orlojd, or another replica, left to them. A Pod
 * that cannot be used is deleted. Thread-safe.
 */
final class PodAdopter {

    private static final Logger log = LoggerFactory.getLogger(PodAdopter.class);

    /** How long the watch may take to report the state of a Pod that runs. */
    private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(10);

    /** Each try loses a Pod to another orlojd, or to the report of its node. */
    private static final int MAX_TRIES = 5;

    private final ClusterApi api;
    private final PodWatch watch;
    private final PodStarter starter;
    private final ReleasedPods released;
    private final PodMarks marks;
    private final String replica;
    private final ContainerListener listener;

    PodAdopter(
            ClusterApi api,
            PodWatch watch,
            PodStarter starter,
            ReleasedPods released,
            PodMarks marks,
            String replica,
            ContainerListener listener) {
        this.api = api;
        this.watch = watch;
        this.starter = starter;
        this.released = released;
        this.marks = marks;
        this.replica = replica;
        this.listener = listener;
    }

    /**
     * Returns the annotations of a new Pod that later runs of orlojd may adopt; empty for one that
     * ends with its session.
     */
    Map<String, String> marks(
            String pod, ContainerSpec spec, PodTemplate template, PodReuse reuse) {
        return switch (reuse) {
            case PodReuse.None() -> Map.of();
            case PodReuse.Kept(_, String terms) ->
                    marks.ofNew(pod, PodMarks.definition(spec, template, terms));
        };
    }

    /**
     * Releases a Pod of this replica that an earlier run of it has left.
     *
     * @return whether it may be adopted; otherwise it is to be deleted
     */
    boolean takesOver(JsonNode pod) {
        return marks.isOfEarlierRun(pod) && released.release(name(pod));
    }

    /**
     * Attaches to a Pod that runs and has this definition. Deletes the Pods of other definitions of
     * the same server.
     *
     * @return empty when there is none, so that a new Pod is needed
     * @throws WorkloadException when the API server does not answer
     */
    Optional<ServerPod> adopt(ContainerSpec spec, PodTemplate template, PodReuse reuse)
            throws InterruptedException {
        if (!(reuse instanceof PodReuse.Kept(boolean mayAdopt, String terms)) || !mayAdopt) {
            return Optional.empty();
        }
        // Its first list releases what an earlier run of this replica has left.
        watch.require();
        String definition = PodMarks.definition(spec, template, terms);
        for (int tries = 1; tries <= MAX_TRIES; tries++) {
            JsonNode pod = find(spec, definition);
            if (pod == null) {
                return Optional.empty();
            }
            try {
                FollowedPod followed = claim(pod);
                if (followed != null) {
                    return attach(spec, template, pod, followed);
                }
            } catch (ClusterException e) {
                unusable(pod, e);
                released.delete(pod, "it cannot be claimed");
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static void unusable(JsonNode pod, WorkloadException cause) {
        log.atWarn()
                .addKeyValue("pod", name(pod))
                .addKeyValue("error", cause.getMessage())
                .log("Pod that runs already cannot be used");
    }

    private @Nullable JsonNode find(ContainerSpec spec, String definition) {
        JsonNode found = null;
        for (JsonNode pod : released.of(spec.owner().uid())) {
            if (!marks.hasDefinition(pod, definition)) {
                released.delete(pod, "its server has another definition now");
            } else if (!PodStatus.of(pod).isRunning()) {
                released.delete(pod, "its container does not run");
            } else if (found == null) {
                found = pod;
            }
        }
        return found;
    }

    private @Nullable FollowedPod claim(JsonNode pod) {
        int connections = PodMarks.connections(pod) + 1;
        // The watch may still report how an earlier run lost the Pod.
        FollowedPod followed =
                new FollowedPod(name(pod), state -> PodMarks.connections(state) == connections);
        // Before the claim: the watch would delete a Pod that nothing follows.
        watch.follow(followed);
        boolean claimed = false;
        try {
            claimed = released.claim(pod, replica, marks.ofAdopted(pod));
        } finally {
            if (!claimed) {
                watch.forget(followed);
            }
        }
        if (!claimed) {
            return null;
        }
        followed.created();
        return followed;
    }

    private Optional<ServerPod> attach(
            ContainerSpec spec, PodTemplate template, JsonNode pod, FollowedPod followed)
            throws InterruptedException {
        boolean attached = false;
        try {
            ServerPod adopted = attached(spec, template, pod, followed);
            attached = true;
            return Optional.of(adopted);
        } catch (WorkloadException e) {
            unusable(pod, e);
            return Optional.empty();
        } finally {
            if (!attached) {
                starter.discard(followed);
            }
        }
    }

    private ServerPod attached(
            ContainerSpec spec, PodTemplate template, JsonNode pod, FollowedPod followed)
            throws InterruptedException {
        PodStatus status = followed.await(PodStatus::isRunning, REPORT_TIMEOUT, _ -> {});
        if (status == null || !status.isRunning() || followed.ended().isDone()) {
            throw new WorkloadException("its container does not run any more");
        }
        PodManifest manifest =
                new PodManifest(followed.name(), spec, template, replica, Map.of(), Map.of());
        PodCheck.requireIsolation(pod, manifest);
        PodStreams streams = api.attach(followed.name());
        endPartialLine(streams);
        listener.scheduled(spec.owner(), followed.name(), "");
        Posture posture = PodStarter.posture(manifest, status);
        listener.started(spec.owner(), posture);
        return starter.adopted(followed, status, posture, streams, past(pod));
    }

    private static ServerPod.Past past(JsonNode pod) {
        String created = pod.at("/metadata/creationTimestamp").asString("");
        try {
            return new ServerPod.Past(Instant.parse(created), PodMarks.connections(pod) + 1);
        } catch (DateTimeParseException e) {
            throw new WorkloadException("it has no valid time of creation: " + created, e);
        }
    }

    /**
     * The connection before may have ended within a line, which the next message would continue.
     */
    private static void endPartialLine(PodStreams streams) {
        try {
            streams.stdin().write('\n');
        } catch (IOException e) {
            throw new WorkloadException("its connection has ended: " + e.getMessage(), e);
        }
    }

    private static String name(JsonNode pod) {
        return pod.at("/metadata/name").asString("");
    }
}
