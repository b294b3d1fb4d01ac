package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.Condition;
import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.NameRule;
import dev.orloj.api.codec.Schema;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;

/**
 * A container in which several McpServers of its namespace run, each with its own program.
 *
 * @param status written by the controller only
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec", "status"})
public record Sandbox(String apiVersion, String kind, ObjectMeta metadata, Spec spec, Status status)
        implements Resource {

    public static final Kind<Sandbox> KIND =
            new Kind<>("orloj.dev", "v1", "Sandbox", "sandboxes", true, Sandbox.class);

    /** The manifest can be acted on. */
    public static final String ACCEPTED = "Accepted";

    /** The container runs. */
    public static final String RUNNING = "Running";

    /** Summary: programs can run in it, in the container that runs or in one that they start. */
    public static final String READY = "Ready";

    /** The manifest works but uses something discouraged. Absent otherwise. */
    public static final String DISCOURAGED = "Discouraged";

    /** Keeps a deleted Sandbox until its container at the leading replica is gone. */
    public static final String FINALIZER = "orloj.dev/container";

    /** Names are DNS labels, because the name and the labels of the container contain them. */
    public static final KindDescriptor<Sandbox> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(Sandbox.class, "sandbox.schema.json"))
                    .shortNames("sbx")
                    .categories("all", "orloj")
                    .nameRule(NameRule.LABEL)
                    .withStatus()
                    .validator(SandboxRules::validate)
                    .advisor(ContainerAdvice::of)
                    .finalizer(FINALIZER)
                    .columns(
                            Column.text(
                                    "Ready",
                                    "Whether programs can be run in it",
                                    Column.condition(READY)),
                            Column.text(
                                    "Running",
                                    "Whether its container runs",
                                    Column.condition(RUNNING)),
                            Column.text(
                                    "Lifecycle",
                                    "on_demand or always_on",
                                    Column.at("/spec/lifecycle")),
                            Column.text("Image", "Its image", Column.at("/spec/image")).onlyWide(),
                            Column.text(
                                            "Container",
                                            "The name of its container",
                                            Column.at("/status/container"))
                                    .onlyWide())
                    .build();

    /**
     * The container.
     *
     * @param command its main program, which keeps it running; empty for the command of the image
     * @param env of the container and of all programs in it
     * @param mounts folders of the host that are mounted
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Spec(
            String image,
            String command,
            List<String> args,
            List<McpServer.EnvVar> env,
            String imagePullSecret,
            @Nullable ImagePullPolicy imagePullPolicy,
            @Nullable ContainerResources resources,
            @Nullable ContainerNetwork network,
            @Nullable Lifecycle lifecycle,
            List<Mount> mounts) {

        public Spec {
            image = orEmpty(image);
            command = orEmpty(command);
            args = args == null ? List.of() : List.copyOf(args);
            env = env == null ? List.of() : List.copyOf(env);
            imagePullSecret = orEmpty(imagePullSecret);
            mounts = mounts == null ? List.of() : List.copyOf(mounts);
        }

        public boolean staysOn() {
            return lifecycle == Lifecycle.ALWAYS_ON;
        }

        private static String orEmpty(@Nullable String text) {
            return text == null ? "" : text;
        }
    }

    /**
     * A folder of the host of orlojd.
     *
     * @param readOnly null means true
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Mount(String hostPath, String mountPath, @Nullable Boolean readOnly) {

        public boolean isReadOnly() {
            return !Boolean.FALSE.equals(readOnly);
        }
    }

    /**
     * The observed state.
     *
     * @param container name of the running container; empty if none runs
     * @param posture the isolation of that container
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Status(
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) long observedGeneration,
            List<Condition> conditions,
            String container,
            @Nullable ContainerPosture posture) {

        public static final Status EMPTY = new Status(0, List.of(), "", null);

        public Status {
            conditions = conditions == null ? List.of() : List.copyOf(conditions);
            container = container == null ? "" : container;
        }
    }

    public Sandbox {
        status = status == null ? Status.EMPTY : status;
    }

    @Override
    public Sandbox withMetadata(ObjectMeta replacement) {
        return new Sandbox(apiVersion, kind, replacement, spec, status);
    }

    public Sandbox withStatus(Status replacement) {
        return new Sandbox(apiVersion, kind, metadata, spec, replacement);
    }
}
