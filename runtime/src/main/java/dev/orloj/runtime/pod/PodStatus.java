package dev.orloj.runtime.pod;

import dev.orloj.runtime.workload.ExitStatus;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

import java.util.Optional;
import java.util.Set;

/**
 * The state of the Pod of a server as the API server reports it. Immutable.
 *
 * @param progress what the Pod waits for before its container runs; empty if that is not known
 * @param failure why the container cannot run; empty if nothing prevents it
 * @param imageFailure whether the failure is that of the image
 * @param unschedulable why no node takes the Pod; empty if one did
 */
record PodStatus(
        String uid,
        String node,
        boolean isRunning,
        String containerId,
        String imageId,
        String progress,
        String failure,
        boolean imageFailure,
        String unschedulable,
        Optional<ExitStatus> exit,
        String lastWords) {

    private static final Set<String> IMAGE_FAILURES =
            Set.of(
                    "ErrImagePull",
                    "ImagePullBackOff",
                    "InvalidImageName",
                    "ErrImageNeverPull",
                    "ImageInspectError",
                    "RegistryUnavailable");

    private static final Set<String> FAILURES =
            Set.of(
                    "CreateContainerConfigError",
                    "CreateContainerError",
                    "RunContainerError",
                    "PreCreateHookError",
                    "StartError");

    static PodStatus of(JsonNode pod) {
        JsonNode status = pod.path("status");
        JsonNode container = container(status);
        JsonNode waiting = container.at("/state/waiting");
        String reason = waiting.path("reason").asString("");
        String message = waiting.path("message").asString("");
        boolean imageFailure = IMAGE_FAILURES.contains(reason);
        boolean fails =
                imageFailure || (FAILURES.contains(reason) && !waitsForSecret(pod, message));
        return new PodStatus(
                pod.at("/metadata/uid").asString(""),
                pod.at("/spec/nodeName").asString(""),
                container.at("/state/running").isObject(),
                afterScheme(container.path("containerID").asString("")),
                container.path("imageID").asString(""),
                text(reason, message),
                fails ? text(reason, message) : "",
                imageFailure,
                unschedulable(status),
                exit(pod, container),
                container.at("/state/terminated/message").asString("").strip());
    }

    /** Webhooks of the cluster may add containers of their own, in any order. */
    private static JsonNode container(JsonNode status) {
        for (JsonNode container : status.path("containerStatuses")) {
            if (container.path("name").asString("").equals(PodManifest.CONTAINER)) {
                return container;
            }
        }
        return MissingNode.getInstance();
    }

    /** Returns what a container that does not run waits for. */
    String waitsFor() {
        if (!unschedulable.isEmpty()) {
            return unschedulable;
        }
        if (node.isEmpty()) {
            return "the scheduler of the cluster has not chosen a node";
        }
        return progress.isEmpty()
                ? "node \"%s\" does not report it; the node may be down".formatted(node)
                : progress + " on node \"" + node + "\"";
    }

    /** The kubelet may look for the Secret of the Pod before orlojd has created it. */
    private static boolean waitsForSecret(JsonNode pod, String message) {
        return message.contains("secret")
                && message.contains(pod.at("/metadata/name").asString("?"))
                && message.contains("not found");
    }

    private static String text(String reason, String message) {
        return message.isEmpty() ? reason : reason + ": " + message;
    }

    private static String afterScheme(String id) {
        return id.substring(id.indexOf("//") < 0 ? 0 : id.indexOf("//") + 2);
    }

    private static String unschedulable(JsonNode status) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asString("").equals("PodScheduled")
                    && condition.path("status").asString("").equals("False")) {
                return text(
                        condition.path("reason").asString(""),
                        condition.path("message").asString(""));
            }
        }
        return "";
    }

    private static Optional<ExitStatus> exit(JsonNode pod, JsonNode container) {
        JsonNode status = pod.path("status");
        JsonNode ended = container.at("/state/terminated");
        String phase = status.path("phase").asString("");
        if (!ended.isObject() && !phase.equals("Failed") && !phase.equals("Succeeded")) {
            return Optional.empty();
        }
        String reason = ended.path("reason").asString("");
        boolean isKnown = ended.isObject() && !reason.equals("ContainerStatusUnknown");
        return Optional.of(
                new ExitStatus(
                        isKnown ? ended.path("exitCode").asInt(-1) : -1,
                        reason.equals("OOMKilled"),
                        cause(pod)));
    }

    /**
     * Returns what ended the Pod from outside: an eviction, a preemption or the loss of its node.
     */
    static String cause(JsonNode pod) {
        JsonNode status = pod.path("status");
        String reason = status.path("reason").asString("");
        if (!reason.isEmpty()) {
            return text(reason, status.path("message").asString(""));
        }
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asString("").equals("DisruptionTarget")
                    && condition.path("status").asString("").equals("True")) {
                return text(
                        condition.path("reason").asString(""),
                        condition.path("message").asString(""));
            }
        }
        return "";
    }
}
