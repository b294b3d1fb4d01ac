package dev.orloj.api.core;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Schema;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.List;

/**
 * A process of a stdio server, in the form in which Kubernetes clients look for logs: {@code
 * kubectl logs}, {@code k9s}. The replica that runs the process writes spec and status together.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec", "status"})
public record Pod(
        String apiVersion,
        String kind,
        ObjectMeta metadata,
        @Nullable Spec spec,
        @Nullable Status status)
        implements Resource {

    public static final Kind<Pod> KIND = new Kind<>("", "v1", "Pod", "pods", true, Pod.class);

    /** The label with the replica of orlojd that runs the process. */
    public static final String REPLICA_LABEL = "orloj.dev/replica";

    /** The annotation with the session that the process serves. */
    public static final String SESSION_ANNOTATION = "orloj.dev/session";

    /** The annotation with the account of the process, if it is not that of orlojd. */
    public static final String USER_ANNOTATION = "orloj.dev/user";

    /** The name of the only container. */
    public static final String CONTAINER = "stderr";

    public static final String RUNNING = "Running";
    public static final String SUCCEEDED = "Succeeded";
    public static final String FAILED = "Failed";

    public static final KindDescriptor<Pod> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(Pod.class, "pod.schema.json"))
                    .shortNames("po")
                    .categories("all")
                    .readOnly()
                    .selectable("status.phase", "/status/phase")
                    .selectable("spec.nodeName", "/spec/nodeName")
                    .columns(
                            Column.text("Ready", "How many of its containers are", Pod::ready),
                            Column.text("Status", "Whether it runs, or how it ended", Pod::state),
                            Column.integer(
                                    "Restarts",
                                    "How often in a row it was started anew after it had ended",
                                    pod ->
                                            pod.at("/status/containerStatuses/0/restartCount")
                                                    .asInt(0)),
                            Column.text(
                                            "Node",
                                            "The host that the process runs on",
                                            Column.at("/spec/nodeName"))
                                    .onlyWide(),
                            Column.text(
                                            "User",
                                            "The account that the process runs as, if it is not"
                                                    + " that of orlojd",
                                            Column.at("/metadata/annotations/orloj.dev~1user"))
                                    .onlyWide())
                    .build();

    /** What runs, and on which host. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Spec(
            String nodeName,
            List<Container> containers,
            @Nullable SecurityContext securityContext) {

        public Spec(String nodeName, List<Container> containers) {
            this(nodeName, containers, SecurityContext.EMPTY);
        }

        public Spec {
            containers = containers == null ? List.of() : List.copyOf(containers);
        }
    }

    /**
     * Always there, because {@code kubectl debug} reads it without checking whether it exists.
     *
     * @param runAsUser the uid of the process, if it is not that of orlojd
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SecurityContext(@Nullable Long runAsUser) {

        public static final SecurityContext EMPTY = new SecurityContext(null);
    }

    /**
     * @param image the command, or the image of the server
     */
    public record Container(String name, String image) {}

    /** The state of the process. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Status(
            String phase,
            String message,
            @Nullable Instant startTime,
            List<Readiness> conditions,
            List<ContainerStatus> containerStatuses) {

        public Status {
            conditions = conditions == null ? List.of() : List.copyOf(conditions);
            containerStatuses =
                    containerStatuses == null ? List.of() : List.copyOf(containerStatuses);
        }
    }

    /** A condition in the form that Kubernetes uses for pods. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Readiness(String type, String status, @Nullable Instant lastTransitionTime) {}

    /**
     * The state of the only container.
     *
     * @param containerId engine and id, {@code docker://0123...}; absent for a process of the host
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ContainerStatus(
            String name,
            String image,
            @JsonProperty("imageID") String imageId,
            boolean ready,
            boolean started,
            int restartCount,
            @Nullable State state,
            @Nullable State lastState,
            @JsonProperty("containerID") @Nullable String containerId) {

        public ContainerStatus {
            imageId = imageId == null ? "" : imageId; // clients require it
        }
    }

    /** Exactly one of the two is set. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record State(@Nullable Running running, @Nullable Terminated terminated) {

        public static State of(Running running) {
            return new State(running, null);
        }

        public static State of(Terminated terminated) {
            return new State(null, terminated);
        }
    }

    public record Running(Instant startedAt) {}

    /**
     * @param exitCode as a shell reports it
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Terminated(
            int exitCode,
            @Nullable Integer signal,
            String reason,
            String message,
            Instant startedAt,
            Instant finishedAt) {}

    public static Pod of(ObjectMeta metadata, Spec spec, Status status) {
        return new Pod(KIND.apiVersion(), KIND.name(), metadata, spec, status);
    }

    @Override
    public Pod withMetadata(ObjectMeta replacement) {
        return new Pod(apiVersion, kind, replacement, spec, status);
    }

    private static Object ready(ObjectNode pod) {
        return pod.at("/status/containerStatuses/0/ready").asBoolean(false) ? "1/1" : "0/1";
    }

    private static Object state(ObjectNode pod) {
        JsonNode ended = pod.at("/status/containerStatuses/0/state/terminated/reason");
        return ended.isString() ? ended.asString() : pod.at("/status/phase").asString("");
    }
}
