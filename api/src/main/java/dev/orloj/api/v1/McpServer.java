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
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A connection to an MCP server: how to reach it, what to take from it, and what came of it.
 *
 * @param status written by the controller only
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec", "status"})
public record McpServer(
        String apiVersion, String kind, ObjectMeta metadata, Spec spec, McpServerStatus status)
        implements Resource {

    public static final Kind<McpServer> KIND =
            new Kind<>("orloj.dev", "v1", "McpServer", "mcpservers", true, McpServer.class);

    /** Annotation, a time as a rule: the sessions are replaced whenever its value changes. */
    public static final String RESTARTED_AT = "orloj.dev/restartedAt";

    /** The manifest is one that can be acted on: no missing Secret, nothing unsupported. */
    public static final String ACCEPTED = "Accepted";

    /** A session with the server is open. */
    public static final String CONNECTED = "Connected";

    /** The Tools are those that the server offers. */
    public static final String TOOLS_SYNCED = "ToolsSynced";

    /** Summary: the tools can be called, from an open session or from one that a call opens. */
    public static final String READY = "Ready";

    /** The image of the container has come from its registry; absent when it was there. */
    public static final String IMAGE_PULLED = "ImagePulled";

    /** The reason of {@link #IMAGE_PULLED} while the image comes. */
    public static final String PULLING = "Pulling";

    /** The manifest works, and has something that one should not do; absent when it has not. */
    public static final String DISCOURAGED = "Discouraged";

    /** Names are DNS labels, since a label of each generated Tool carries them. */
    public static final KindDescriptor<McpServer> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(McpServer.class, "mcpserver.schema.json"))
                    .shortNames("mcp", "mcps")
                    .categories("all", "orloj")
                    .nameRule(NameRule.LABEL)
                    .withStatus()
                    .normalizer(McpServerRules::normalize)
                    .validator(McpServerRules::validate)
                    .advisor(ContainerAdvice::of)
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
    public static final Duration MOST_SINGLETON_GRACE = Duration.ofSeconds(5);

    /** How to reach the server, and what to take from it. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Spec(
            Transport transport,
            String command,
            List<String> args,
            List<EnvVar> env,
            String image,
            String imagePullSecret,
            @Nullable ContainerResources resources,
            String endpoint,
            @Nullable Auth auth,
            @Nullable ToolFilter toolFilter,
            @Nullable Reconnect reconnect,
            @Nullable GoDuration idleTimeout,
            @Nullable GoDuration timeout,
            @Nullable GoDuration idleCallTimeout,
            @Nullable GoDuration startupTimeout,
            @Nullable GoDuration shutdownGrace,
            @Nullable Integer maxConcurrentCalls,
            @Nullable Integer maxQueuedCalls,
            @Nullable GoDuration queueTimeout,
            @Nullable RateLimit rateLimit,
            @Nullable CircuitBreaker circuitBreaker,
            @Nullable Health health,
            @Nullable GoDuration maxLifetime,
            @Nullable Long maxCalls,
            @Nullable GoDuration drainTimeout,
            @Nullable Long maxOutputBytes,
            @Nullable Long maxOutputTokens,
            @Nullable Integer replicas,
            @Nullable Boolean suspend,
            List<EnvSource> envFrom,
            @Nullable ContainerNetwork network,
            @Nullable ImagePullPolicy imagePullPolicy,
            @Nullable Lifecycle lifecycle,
            String sandboxRef,
            @Nullable Attach attach,
            @Nullable Boolean trustImageConfig,
            List<Header> headers,
            @Nullable Integer maxSessions,
            @Nullable Boolean singleton,
            @Nullable Bridge bridge,
            List<Exposure> expose,
            @Nullable ToolLimits toolLimits,
            @Nullable SessionScope sessionScope,
            @Nullable ArgumentCheck argumentCheck) {

        public Spec {
            command = orEmpty(command);
            args = args == null ? List.of() : List.copyOf(args);
            env = env == null ? List.of() : List.copyOf(env);
            envFrom = envFrom == null ? List.of() : List.copyOf(envFrom);
            image = orEmpty(image);
            imagePullSecret = orEmpty(imagePullSecret);
            endpoint = orEmpty(endpoint);
            headers = headers == null ? List.of() : List.copyOf(headers);
            sandboxRef = orEmpty(sandboxRef);
            expose = expose == null ? List.of() : List.copyOf(expose);
        }

        /** Whether a session is opened by calls alone, once the tools are listed. */
        public boolean startsOnDemand() {
            return lifecycle == null
                    ? idleTimeout != null && idleTimeout.toDuration().isPositive()
                    : lifecycle == Lifecycle.ON_DEMAND;
        }

        /** Whether there may be one session at most, on all replicas together. */
        public boolean allowsOneSession() {
            return Boolean.TRUE.equals(singleton);
        }

        /** Why no session may be open, in terms of the manifest; empty when one may. */
        public Optional<String> suspension() {
            if (Boolean.TRUE.equals(suspend)) {
                return Optional.of("spec.suspend is true");
            }
            return replicas != null && replicas == 0
                    ? Optional.of("spec.replicas is 0")
                    : Optional.empty();
        }
    }

    /** How orlojd talks to the server. */
    public enum Transport {
        @JsonProperty("stdio")
        STDIO,
        @JsonProperty("http")
        HTTP,
        @JsonProperty("sse")
        SSE
    }

    /**
     * A variable of the child process.
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
     * All values of a ConfigMap or a Secret, as variables of the child process.
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
     * @param optional whether the server may do without it
     */
    public record SourceRef(
            String name, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean optional) {}

    /**
     * A container that is managed outside of Orloj.
     *
     * @param container its name or id
     */
    public record Attach(String container) {}

    /** The credential that goes with every request to an http server. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Auth(String secretRef, AuthProfile profile, String headerName) {

        private static final String USUAL_KEY_HEADER = "X-API-Key";

        public Auth {
            profile = profile == null ? AuthProfile.BEARER : profile;
            headerName = orEmpty(headerName);
        }

        /** The header that carries the credential. */
        public String header() {
            return switch (profile) {
                case BEARER -> "Authorization";
                case API_KEY_HEADER -> headerName.isEmpty() ? USUAL_KEY_HEADER : headerName;
            };
        }
    }

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
     * What the server may ask the clients whose calls it handles; defaults where null.
     *
     * @param extensions of MCP that are declared to an older server, with their settings
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Bridge(
            @Nullable BridgePolicy elicitation,
            @Nullable BridgePolicy sampling,
            @Nullable BridgePolicy roots,
            @Nullable ObjectNode extensions) {}

    /** What becomes of something that a server asks. */
    public enum BridgePolicy {
        /** The client is asked, in its own revision, while the call is suspended. */
        @JsonProperty("park")
        PARK,
        /** The server gets an error: there is no client to ask. */
        @JsonProperty("reject")
        REJECT
    }

    /** Which calls share a session. */
    public enum SessionScope {
        /** All. */
        @JsonProperty("shared")
        SHARED,
        /** Those of one client. */
        @JsonProperty("agent")
        AGENT,
        /** Those of one client that follow each other. */
        @JsonProperty("call")
        CALL
    }

    /** What becomes of arguments that do not fit the input schema of their tool. */
    public enum ArgumentCheck {
        /** They are refused. */
        @JsonProperty("strict")
        STRICT,
        /** They are converted where that is clear, and else refused. */
        @JsonProperty("coerce")
        COERCE,
        /** They are passed on. */
        @JsonProperty("off")
        OFF
    }

    /** How a credential is sent. */
    public enum AuthProfile {
        @JsonProperty("bearer")
        BEARER,
        @JsonProperty("api_key_header")
        API_KEY_HEADER
    }

    /**
     * Which tools are offered.
     *
     * @param include names as the server spells them, or patterns; all when empty
     * @param exclude those that are not offered, even if they are included
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ToolFilter(List<String> include, List<String> exclude) {

        public ToolFilter {
            include = include == null ? List.of() : List.copyOf(include);
            exclude = exclude == null ? List.of() : List.copyOf(exclude);
        }
    }

    /**
     * The largest tool list that is taken from the server; usual where null.
     *
     * @param maxTools how many tools
     * @param maxBytes of all definitions together
     * @param maxPages how many pages
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

    /** When calls are refused for a while, instead of tried once more. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonNaming(SnakeCaseStrategy.class)
    public record CircuitBreaker(
            @Nullable Integer failures,
            @Nullable GoDuration window,
            @Nullable GoDuration openFor) {}

    /** How it is found out that a server has died without ending. */
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

    /** Which restart was asked for last; empty for none. */
    public String restartedAt() {
        return metadata.annotations().getOrDefault(RESTARTED_AT, "");
    }

    public McpServer withSpec(Spec replacement) {
        return new McpServer(apiVersion, kind, metadata, replacement, status);
    }

    public McpServer withStatus(McpServerStatus replacement) {
        return new McpServer(apiVersion, kind, metadata, spec, replacement);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** A server that is ready runs whenever it is called, be its process asleep or not. */
    private static int replicas(ObjectNode server) {
        return server.at("/status/phase").asString("").equals("Ready") ? 1 : 0;
    }
}
