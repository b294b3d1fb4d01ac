package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.GoDuration;
import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.NameRule;
import dev.orloj.api.codec.Scale;
import dev.orloj.api.codec.Schema;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;

/**
 * A connection to an MCP server: how to reach it, which tools to use, and its observed state.
 *
 * @param status written by the controller only
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec", "status"})
public record McpServer(
        String apiVersion,
        String kind,
        ObjectMeta metadata,
        @JsonSerialize(converter = McpServerSpec.Writer.class) McpServerSpec spec,
        McpServerStatus status)
        implements Resource {

    public static final Kind<McpServer> KIND =
            new Kind<>("orloj.dev", "v1", "McpServer", "mcpservers", true, McpServer.class);

    /**
     * The annotation that requests a restart, usually a time. The sessions are replaced whenever
     * its value changes.
     */
    public static final String RESTARTED_AT = "orloj.dev/restartedAt";

    /** The manifest can be acted on: no missing Secret, nothing unsupported. */
    public static final String ACCEPTED = "Accepted";

    /** A session with the server is open. */
    public static final String CONNECTED = "Connected";

    /** The Tools are those that the server offers. */
    public static final String TOOLS_SYNCED = "ToolsSynced";

    /**
     * Every definition that the server offers is served. Absent if the server has no {@code
     * tool_policy}.
     */
    public static final String TOOLS_APPROVED = "ToolsApproved";

    /**
     * The annotation with the time of the latest decision about held definitions. Its change
     * enqueues the server.
     */
    public static final String TOOLS_REVIEWED_AT = "orloj.dev/toolsReviewedAt";

    /**
     * Summary: the tools can be called, through an open session or through one that a call opens.
     */
    public static final String READY = "Ready";

    /**
     * The image of the container was pulled from its registry. Absent when it was present before.
     */
    public static final String IMAGE_PULLED = "ImagePulled";

    /** The reason of {@link #IMAGE_PULLED} during the pull. */
    public static final String PULLING = "Pulling";

    /** False while no node of the cluster takes the Pod of the server. Absent otherwise. */
    public static final String POD_SCHEDULED = "PodScheduled";

    /** The manifest works but uses something discouraged. Absent otherwise. */
    public static final String DISCOURAGED = "Discouraged";

    /**
     * The condition with findings of medium severity or worse about the definitions of the tools.
     * Absent if there are none. It does not make a server less Ready.
     */
    public static final String SUSPICIOUS = "Suspicious";

    /** Keeps a deleted server until its sessions are closed and its Tools are deleted. */
    public static final String FINALIZER = "orloj.dev/sessions";

    /** Names are DNS labels, because a label of each generated Tool contains them. */
    public static final KindDescriptor<McpServer> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(McpServer.class, "mcpserver.schema.json"))
                    .shortNames("mcp", "mcps")
                    .categories("all", "orloj")
                    .nameRule(NameRule.LABEL)
                    .withStatus()
                    .normalizer(McpServerRules::normalize)
                    .validator(McpServerRules::validate)
                    .advisor(ContainerAdvice::of)
                    .finalizer(FINALIZER)
                    .firstPhase("Pending")
                    .action("restart")
                    .scale(
                            new Scale(
                                    "/spec/replicas",
                                    McpServer::replicas,
                                    server ->
                                            Tool.SERVER_LABEL
                                                    + "="
                                                    + server.at("/metadata/name").asString("")))
                    .columns(McpServerColumns.all())
                    .build();

    /**
     * The longest {@code shutdown_grace} of a singleton. It counts twice, before and after SIGTERM,
     * and a replica that loses the server has 15 s to end it.
     */
    public static final Duration MAX_SINGLETON_GRACE = Duration.ofSeconds(5);

    /** The transport between orlojd and the server. */
    public enum Transport {
        @JsonProperty("stdio")
        STDIO,
        @JsonProperty("http")
        HTTP,
        @JsonProperty("sse")
        SSE
    }

    /**
     * An environment variable of the child process.
     *
     * @param value null when the value comes from a Secret
     * @param secretRef {@code name} or {@code name/key}, empty when {@code value} is given
     * @param mountPath with an image: where the secret is mounted as a file
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record EnvVar(
            String name,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String value,
            String secretRef,
            String mountPath) {

        public EnvVar {
            secretRef = orEmpty(secretRef);
            mountPath = orEmpty(mountPath);
        }
    }

    /**
     * Sets all values of a ConfigMap or a Secret as environment variables of the child process.
     *
     * @param prefix put before each key
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record EnvSource(
            String prefix, @Nullable SourceRef configMapRef, @Nullable SourceRef secretRef) {

        public EnvSource {
            prefix = orEmpty(prefix);
        }
    }

    /**
     * @param optional whether it may be missing
     */
    public record SourceRef(
            String name, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean optional) {}

    /**
     * A container that is managed outside of Orloj.
     *
     * @param container its name or id
     */
    public record Attach(String container) {}

    /**
     * A header of every request to a server over HTTP.
     *
     * @param value null when the value comes from a Secret
     * @param secretRef {@code name} or {@code name/key}, empty when {@code value} is given
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Header(
            String name,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String value,
            String secretRef) {

        public Header {
            secretRef = orEmpty(secretRef);
        }
    }

    /**
     * Which requests the server may send to the clients whose calls it handles. Defaults apply
     * where null.
     *
     * @param extensions of MCP that are declared to an older server, with their settings
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Bridge(
            @Nullable BridgePolicy elicitation,
            @Nullable BridgePolicy sampling,
            @Nullable BridgePolicy roots,
            @Nullable ObjectNode extensions) {}

    /** How a request from a server is handled. */
    public enum BridgePolicy {
        /** Sends the request to the client, in its own revision, while the call is suspended. */
        @JsonProperty("park")
        PARK,
        /** Returns an error to the server and asks no client. */
        @JsonProperty("reject")
        REJECT
    }

    /** An additional transport for clients of an MCP endpoint. */
    public enum Exposure {
        /** HTTP+SSE, the only HTTP transport of revision 2024-11-05. */
        @JsonProperty("sse")
        SSE
    }

    /** Which calls share a session. */
    public enum SessionScope {
        /** All calls. */
        @JsonProperty("shared")
        SHARED,
        /** The calls of one client. */
        @JsonProperty("agent")
        AGENT,
        /** Consecutive calls of one client. */
        @JsonProperty("call")
        CALL
    }

    /** How arguments are handled that do not match the input schema of their tool. */
    public enum ArgumentCheck {
        /** Rejects them. */
        @JsonProperty("strict")
        STRICT,
        /** Converts them if the conversion is unambiguous, otherwise rejects them. */
        @JsonProperty("coerce")
        COERCE,
        /** Passes them on. */
        @JsonProperty("off")
        OFF
    }

    /**
     * Selects the tools to offer.
     *
     * @param include names as the server spells them, or patterns; all when empty
     * @param exclude tools that are not offered, even if they are included
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ToolFilter(List<String> include, List<String> exclude) {

        public ToolFilter {
            include = include == null ? List.of() : List.copyOf(include);
            exclude = exclude == null ? List.of() : List.copyOf(exclude);
        }
    }

    /**
     * The limits for the tool list of the server. Defaults apply where null.
     *
     * @param maxTools the number of tools
     * @param maxBytes the size of all definitions together
     * @param maxPages the number of pages
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonNaming(SnakeCaseStrategy.class)
    public record ToolLimits(
            @Nullable Long maxTools, @Nullable Long maxBytes, @Nullable Long maxPages) {}

    /** How opening a session is retried. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Reconnect(@Nullable Integer maxAttempts, @Nullable GoDuration backoff) {}

    /** How often calls may begin. */
    public record RateLimit(int calls, GoDuration period) {}

    /** When calls are rejected for a while instead of being tried. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonNaming(SnakeCaseStrategy.class)
    public record CircuitBreaker(
            @Nullable Integer failures,
            @Nullable GoDuration window,
            @Nullable GoDuration openFor) {}

    /** How to detect a server that no longer responds but has not ended. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Health(
            @Nullable GoDuration period,
            @Nullable GoDuration timeout,
            @Nullable Integer failures) {}

    public McpServer {
        status = status == null ? McpServerStatus.EMPTY : status;
    }

    @Override
    public McpServer withMetadata(ObjectMeta replacement) {
        return new McpServer(apiVersion, kind, replacement, spec, status);
    }

    /** Returns the latest restart that was requested; empty for none. */
    public String restartedAt() {
        return metadata.annotations().getOrDefault(RESTARTED_AT, "");
    }

    /** Returns when a user last decided about held definitions; empty for never. */
    public String toolsReviewedAt() {
        return metadata.annotations().getOrDefault(TOOLS_REVIEWED_AT, "");
    }

    public McpServer withSpec(McpServerSpec replacement) {
        return new McpServer(apiVersion, kind, metadata, replacement, status);
    }

    public McpServer withStatus(McpServerStatus replacement) {
        return new McpServer(apiVersion, kind, metadata, spec, replacement);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /**
     * Counts a ready server as one replica. It counts even if its process sleeps, because a call
     * starts it.
     */
    private static int replicas(ObjectNode server) {
        return server.at("/status/phase").asString("").equals("Ready") ? 1 : 0;
    }
}
