package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import dev.orloj.api.GoDuration;
import dev.orloj.api.approval.ResultAction;
import dev.orloj.api.approval.ServerToolPolicy;
import dev.orloj.api.codec.Json;
import dev.orloj.api.oauth.OAuthClient;
import dev.orloj.api.pod.PodTemplate;
import dev.orloj.api.pod.ScaleTargetRef;
import dev.orloj.api.v1.McpServer.ArgumentCheck;
import dev.orloj.api.v1.McpServer.Attach;
import dev.orloj.api.v1.McpServer.Bridge;
import dev.orloj.api.v1.McpServer.CircuitBreaker;
import dev.orloj.api.v1.McpServer.EnvSource;
import dev.orloj.api.v1.McpServer.EnvVar;
import dev.orloj.api.v1.McpServer.Exposure;
import dev.orloj.api.v1.McpServer.Header;
import dev.orloj.api.v1.McpServer.Health;
import dev.orloj.api.v1.McpServer.RateLimit;
import dev.orloj.api.v1.McpServer.Reconnect;
import dev.orloj.api.v1.McpServer.SessionScope;
import dev.orloj.api.v1.McpServer.ToolFilter;
import dev.orloj.api.v1.McpServer.ToolLimits;
import dev.orloj.api.v1.McpServer.Transport;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.StdConverter;

import java.util.List;
import java.util.Optional;

/**
 * How to reach an {@link McpServer}, and which tools to use. In JSON, the fields of all groups are
 * those of one object.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonNaming(SnakeCaseStrategy.class)
public record McpServerSpec(
        Transport transport,
        @JsonUnwrapped Program program,
        @JsonUnwrapped Container container,
        @JsonUnwrapped Http http,
        @JsonUnwrapped Lifetime lifetime,
        @JsonUnwrapped Renewal renewal,
        @JsonUnwrapped Sharing sharing,
        @JsonUnwrapped Calls calls,
        @JsonUnwrapped Offer offer,
        @Nullable Bridge bridge,
        @Nullable Integer replicas,
        @Nullable Boolean suspend) {

    /**
     * The program of a server with transport stdio.
     *
     * @param command with an image: replaces its entrypoint
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Program(
            String command, List<String> args, List<EnvVar> env, List<EnvSource> envFrom) {

        public Program {
            command = orEmpty(command);
            args = orEmpty(args);
            env = orEmpty(env);
            envFrom = orEmpty(envFrom);
        }
    }

    /** Where the program runs if not on the host: an image, a Sandbox, or a container. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Container(
            @JsonUnwrapped Image image, String sandboxRef, @Nullable Attach attach) {

        public Container {
            sandboxRef = orEmpty(sandboxRef);
        }
    }

    /**
     * A container of the server's own.
     *
     * @param name of the image; the other fields have a meaning only with it
     * @param pod what is added to the Pod, if the image runs in one
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Image(
            @JsonProperty("image") String name,
            String imagePullSecret,
            @Nullable ImagePullPolicy imagePullPolicy,
            @Nullable ContainerResources resources,
            @Nullable ContainerNetwork network,
            @Nullable Boolean trustImageConfig,
            @Nullable PodTemplate pod) {

        public Image {
            name = orEmpty(name);
            imagePullSecret = orEmpty(imagePullSecret);
        }
    }

    /**
     * A server that is reached over HTTP.
     *
     * @param scaleTargetRef what runs it in the cluster, to scale that to zero while it is idle;
     *     null for a server that orlojd does not scale
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Http(
            String endpoint,
            @Nullable Auth auth,
            List<Header> headers,
            @Nullable ScaleTargetRef scaleTargetRef) {

        public Http {
            endpoint = orEmpty(endpoint);
            headers = orEmpty(headers);
        }
    }

    /**
     * The credential for every request over HTTP: a Secret, or access tokens.
     *
     * @param secretRef empty if the credential is an access token
     * @param oauth how to get access tokens; null for a credential that is a Secret
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Auth(
            String secretRef,
            HttpAuth.Profile profile,
            String headerName,
            @Nullable OAuthClient oauth) {

        public Auth {
            secretRef = orEmpty(secretRef);
            profile = profile == null ? HttpAuth.Profile.BEARER : profile;
            headerName = orEmpty(headerName);
        }

        /** Returns how the credential is sent, wherever it comes from. */
        public HttpAuth http() {
            return new HttpAuth(secretRef, profile, headerName);
        }
    }

    /** When a session starts and ends. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Lifetime(
            @Nullable Lifecycle lifecycle,
            @Nullable GoDuration idleTimeout,
            @Nullable GoDuration startupTimeout,
            @Nullable GoDuration shutdownGrace,
            @Nullable Reconnect reconnect) {

        /** Returns whether only calls open a session, once the tools are listed. */
        public boolean startsOnDemand() {
            return lifecycle == null
                    ? idleTimeout != null && idleTimeout.toDuration().isPositive()
                    : lifecycle == Lifecycle.ON_DEMAND;
        }
    }

    /** When a session is replaced by a new one. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Renewal(
            @Nullable Health health,
            @Nullable GoDuration maxLifetime,
            @Nullable Long maxCalls,
            @Nullable GoDuration drainTimeout) {}

    /** How many sessions there are, and which calls share one. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Sharing(
            @Nullable Integer maxSessions,
            @Nullable Boolean singleton,
            @Nullable SessionScope sessionScope) {

        /** The default for sessions that belong to one client each. */
        public static final int MAX_OF_CLIENTS = 10;

        /** Returns whether at most one session may exist, on all replicas together. */
        public boolean allowsOneSession() {
            return Boolean.TRUE.equals(singleton);
        }
    }

    /** What applies to each call. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Calls(
            @Nullable GoDuration timeout,
            @Nullable GoDuration idleCallTimeout,
            @Nullable Integer maxConcurrentCalls,
            @Nullable Integer maxQueuedCalls,
            @Nullable GoDuration queueTimeout,
            @Nullable RateLimit rateLimit,
            @Nullable CircuitBreaker circuitBreaker,
            @JsonUnwrapped OutputLimits output,
            @Nullable ArgumentCheck argumentCheck,
            @Nullable Integer maxMessageBytes) {}

    /** How large the result of a call may be. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonNaming(SnakeCaseStrategy.class)
    public record OutputLimits(@Nullable Long maxOutputBytes, @Nullable Long maxOutputTokens) {

        public static final OutputLimits NONE = new OutputLimits(null, null);
    }

    /** What clients get to see of the server. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonNaming(SnakeCaseStrategy.class)
    public record Offer(
            @Nullable ToolFilter toolFilter,
            @Nullable ToolLimits toolLimits,
            @Nullable ServerToolPolicy toolPolicy,
            @Nullable ResultAction resultPolicy,
            List<Exposure> expose) {

        public Offer {
            expose = orEmpty(expose);
        }
    }

    /** The ways to run a server. A valid manifest gives exactly one. */
    public sealed interface Hosting {

        /** A process on the host. */
        record HostProcess(Program program) implements Hosting {}

        /** A container of an image, for this server alone. */
        record OwnContainer(Program program, Image image) implements Hosting {}

        /** A process in a container that other processes may use, too. */
        sealed interface ExistingContainer extends Hosting {

            Program program();
        }

        /**
         * @param sandbox name of the Sandbox, in the same namespace
         */
        record InSandbox(Program program, String sandbox) implements ExistingContainer {}

        /** A container that is managed outside of Orloj. */
        record Attached(Program program, Attach attach) implements ExistingContainer {}

        /**
         * A server that runs elsewhere and is reached over HTTP.
         *
         * @param sse whether it is of revision 2024-11-05, with HTTP+SSE
         */
        record Remote(Http http, boolean sse) implements Hosting {}
    }

    /** Returns how the server is run. */
    public Hosting hosting() {
        return switch (transport) {
            case HTTP -> new Hosting.Remote(http, false);
            case SSE -> new Hosting.Remote(http, true);
            case STDIO -> {
                if (container.attach != null) {
                    yield new Hosting.Attached(program, container.attach);
                }
                if (!container.sandboxRef.isEmpty()) {
                    yield new Hosting.InSandbox(program, container.sandboxRef);
                }
                yield container.image.name.isEmpty()
                        ? new Hosting.HostProcess(program)
                        : new Hosting.OwnContainer(program, container.image);
            }
        };
    }

    /**
     * Returns the most sessions that may be open at a time, on each replica. Where the manifest
     * does not say that clients share sessions, each may get one of its own.
     */
    public int mostSessions() {
        if (sharing.allowsOneSession()) {
            return 1;
        }
        if (sharing.maxSessions() != null) {
            return sharing.maxSessions();
        }
        return sharing.sessionScope() == SessionScope.SHARED ? 1 : Sharing.MAX_OF_CLIENTS;
    }

    /** Returns the field that suspends the server, and its value. Empty if sessions may open. */
    public Optional<String> suspension() {
        if (Boolean.TRUE.equals(suspend)) {
            return Optional.of("spec.suspend is true");
        }
        return replicas != null && replicas == 0
                ? Optional.of("spec.replicas is 0")
                : Optional.empty();
    }

    /** Writes the fields in the order that documents have always had, whatever their groups. */
    static final class Writer extends StdConverter<McpServerSpec, ObjectNode> {

        private static final String[] ORDER =
                """
                transport command args env image image_pull_secret resources endpoint auth
                tool_filter reconnect idle_timeout timeout idle_call_timeout startup_timeout
                shutdown_grace max_concurrent_calls max_queued_calls queue_timeout rate_limit
                circuit_breaker health max_lifetime max_calls drain_timeout max_output_bytes
                max_output_tokens replicas suspend env_from network image_pull_policy lifecycle
                sandbox_ref attach trust_image_config headers max_sessions singleton bridge expose
                tool_limits session_scope argument_check max_message_bytes tool_policy
                result_policy pod scale_target_ref\
                """
                        .split("\\s+");

        @Override
        public ObjectNode convert(McpServerSpec spec) {
            ObjectNode grouped = Json.MAPPER.valueToTree(spec);
            ObjectNode ordered = Json.MAPPER.createObjectNode();
            for (String field : ORDER) {
                if (grouped.has(field)) {
                    ordered.set(field, grouped.get(field));
                }
            }
            return ordered.setAll(grouped);
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }
}
