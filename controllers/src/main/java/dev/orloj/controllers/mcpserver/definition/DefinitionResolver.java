package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.FieldError;
import dev.orloj.api.Frozen;
import dev.orloj.api.GoDuration;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Secret;
import dev.orloj.api.core.SecretRef;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.program.PackageRunner;
import dev.orloj.controllers.sandbox.SandboxResolution;
import dev.orloj.runtime.argument.ArgumentMode;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.client.SessionPolicy;
import dev.orloj.runtime.client.SessionPolicy.HealthProbe;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.isolation.Isolation;
import dev.orloj.runtime.isolation.SessionScope;
import dev.orloj.runtime.limit.CallLimits;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.session.definition.ReconnectPolicy;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.transport.ServerAddress;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.JsonNodeFactory;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns a manifest into what opens a session. Immutable, safe for many threads. */
public final class DefinitionResolver {

    static final String POLICY_VIOLATED = "SandboxPolicyViolated";
    static final String MOUNT_REFUSED = "MountRefused";
    static final String INVALID_SPEC = "InvalidSpec";
    static final String SECRET_NOT_FOUND = "SecretNotFound";
    static final String SECRET_KEY_NOT_FOUND = "SecretKeyNotFound";
    static final String CONFIG_MAP_NOT_FOUND = "ConfigMapNotFound";
    static final String SANDBOX_NOT_FOUND = "SandboxNotFound";
    static final String SECRET_NOT_USABLE = "SecretNotUsable";

    private static final int DEFAULT_ATTEMPTS = 3;
    private static final Duration DEFAULT_BACKOFF = Duration.ofSeconds(2);
    private static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofMinutes(5);

    /** The most that clients have, each for itself, where nothing is said. */
    private static final int SESSIONS_OF_CLIENTS = 10;

    private static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(30);
    private static final int DEFAULT_FAILURES = 5;
    private static final Duration DEFAULT_WINDOW = Duration.ofMinutes(1);
    private static final Duration DEFAULT_OPEN_FOR = Duration.ofSeconds(30);
    private static final HealthProbe DEFAULT_PROBE =
            new HealthProbe(Duration.ofMinutes(1), Duration.ofSeconds(10), 3);

    /**
     * What a new session is opened for when it differs.
     *
     * @param restart which one was asked for last
     * @param requestPolicy what the server is told at the beginning
     */
    private record Connection(
            ServerAddress address, String restart, ServerRequestPolicy requestPolicy) {}

    private final Function<ResourceKey, Optional<Secret>> secrets;
    private final Function<ResourceKey, Optional<ConfigMap>> configMaps;
    private final Function<ResourceKey, Optional<Sandbox>> sandboxes;
    private final SandboxResolver sandboxResolver;
    private final ServerDefaults defaults;

    /**
     * @param secrets finds a Secret
     * @param configMaps finds a ConfigMap
     * @param sandboxes finds a Sandbox
     */
    public DefinitionResolver(
            Function<ResourceKey, Optional<Secret>> secrets,
            Function<ResourceKey, Optional<ConfigMap>> configMaps,
            Function<ResourceKey, Optional<Sandbox>> sandboxes,
            ServerDefaults defaults) {
        this.secrets = secrets;
        this.configMaps = configMaps;
        this.sandboxes = sandboxes;
        this.sandboxResolver = new SandboxResolver(secrets, defaults);
        this.defaults = defaults;
    }

    /** Names of the Secrets that a manifest refers to, all of its own namespace. */
    public static Set<String> secretNames(McpServer.Spec spec) {
        Set<String> names = new TreeSet<>();
        for (McpServer.EnvVar variable : spec.env()) {
            if (!variable.secretRef().isEmpty()) {
                names.add(SecretRef.parse(variable.secretRef()).name());
            }
        }
        for (McpServer.EnvSource source : spec.envFrom()) {
            if (source.secretRef() != null) {
                names.add(source.secretRef().name());
            }
        }
        for (McpServer.Header header : spec.headers()) {
            if (!header.secretRef().isEmpty()) {
                names.add(SecretRef.parse(header.secretRef()).name());
            }
        }
        if (spec.auth() != null) {
            names.add(SecretRef.parse(spec.auth().secretRef()).name());
        }
        if (!spec.imagePullSecret().isEmpty()) {
            names.add(spec.imagePullSecret());
        }
        return names;
    }

    /** Names of the ConfigMaps that a manifest refers to, all of its own namespace. */
    public static Set<String> configMapNames(McpServer.Spec spec) {
        Set<String> names = new TreeSet<>();
        for (McpServer.EnvSource source : spec.envFrom()) {
            if (source.configMapRef() != null) {
                names.add(source.configMapRef().name());
            }
        }
        return names;
    }

    public Resolution resolve(McpServer server) {
        McpServer.Spec spec = server.spec();
        if (spec.suspension().isPresent()) {
            return new Resolution.Suspended(spec.suspension().get());
        }
        List<FieldError> excesses = defaults.containers().check(spec);
        if (!excesses.isEmpty()) {
            return new Resolution.Refused(POLICY_VIOLATED, describe(excesses));
        }
        ReferencedValues values =
                new ReferencedValues(
                        name -> secrets.apply(beside(server, name)),
                        name -> configMaps.apply(beside(server, name)),
                        defaults.secrets());
        try {
            Environment environment = Environment.of(spec, values);
            ServerAddress address = address(server, environment, values);
            return new Resolution.Resolved(
                    definition(server, address),
                    values.shown(),
                    environment.notes(),
                    values.variables());
        } catch (UnresolvedReferenceException e) {
            return new Resolution.Refused(
                    e.reason(), ConditionMessage.of(String.valueOf(e.getMessage())));
        } catch (IllegalArgumentException e) {
            return new Resolution.Refused(
                    INVALID_SPEC, ConditionMessage.of(String.valueOf(e.getMessage())));
        }
    }

    /** In a condition: it was let in, so it must have been less that was allowed since. */
    static String describe(List<FieldError> excesses) {
        return "Orloj was told since to allow less: "
                + excesses.stream().map(FieldError::toString).collect(Collectors.joining("; "));
    }

    private static ResourceKey beside(McpServer server, String name) {
        return new ResourceKey(server.metadata().namespace(), name);
    }

    private ServerAddress address(
            McpServer server, Environment environment, ReferencedValues values) {
        McpServer.Spec spec = server.spec();
        Duration grace = grace(spec);
        return switch (spec.transport()) {
            case STDIO -> program(server, environment, values, grace);
            case HTTP -> http(spec, values);
            case SSE -> new ServerAddress.Sse(http(spec, values));
        };
    }

    /** The usual one is cut for a server that must be gone when another replica may start it. */
    private Duration grace(McpServer.Spec spec) {
        Duration grace = duration(spec.shutdownGrace(), defaults.shutdownGrace());
        return spec.allowsOneSession() && grace.compareTo(McpServer.MOST_SINGLETON_GRACE) > 0
                ? McpServer.MOST_SINGLETON_GRACE
                : grace;
    }

    /** A program runs on the host, in a container of its own, or in one that is there. */
    private ServerAddress program(
            McpServer server, Environment environment, ReferencedValues values, Duration grace) {
        McpServer.Spec spec = server.spec();
        Map<String, String> variables = environment.variables();
        McpServer.Attach attach = spec.attach();
        if (attach != null) {
            ExecTarget target = new ExecTarget.Borrowed(attach.container());
            return new ServerAddress.Exec(target, command(spec), variables, grace);
        }
        if (!spec.sandboxRef().isEmpty()) {
            ExecTarget target = new ExecTarget.Shared(sandbox(server));
            return new ServerAddress.Exec(target, command(spec), variables, grace);
        }
        return spec.image().isEmpty()
                ? new ServerAddress.Stdio(command(spec), variables, grace)
                : new ServerAddress.Container(
                        ServerContainer.of(server, variables, values, defaults.containers()),
                        grace);
    }

    private ContainerSpec sandbox(McpServer server) {
        String name = server.spec().sandboxRef();
        Sandbox sandbox =
                sandboxes
                        .apply(beside(server, name))
                        .filter(found -> !found.metadata().isDeleting())
                        .orElseThrow(
                                () ->
                                        new UnresolvedReferenceException(
                                                SANDBOX_NOT_FOUND,
                                                "Sandbox \"%s\" does not exist in the namespace of the server, or is being deleted"
                                                        .formatted(name)));
        return switch (sandboxResolver.resolve(sandbox)) {
            case SandboxResolution.Resolved(ContainerSpec container) -> container;
            case SandboxResolution.Refused(String reason, String message) ->
                    throw new UnresolvedReferenceException(
                            reason, "Sandbox \"%s\": %s".formatted(name, message));
        };
    }

    private static List<String> command(McpServer.Spec spec) {
        List<String> words = new ArrayList<>(words(spec.command()));
        words.addAll(spec.args());
        return words;
    }

    /** A command is split at white space and never given to a shell; its arguments stay whole. */
    static List<String> words(String command) {
        return command.isBlank() ? List.of() : List.of(command.strip().split("\\s+"));
    }

    private static ServerAddress.Http http(McpServer.Spec spec, ReferencedValues values) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (McpServer.Header header : spec.headers()) {
            String literal = header.value();
            values.at("spec.headers[%d].secretRef", spec.headers().indexOf(header));
            headers.put(
                    header.name(),
                    literal == null ? values.headerValue(header.secretRef()) : literal.strip());
        }
        McpServer.Auth auth = spec.auth();
        if (auth != null) {
            values.at("spec.auth.secretRef");
            String credential = values.headerValue(auth.secretRef());
            headers.put(
                    auth.header(),
                    switch (auth.profile()) {
                        case BEARER -> "Bearer " + credential;
                        case API_KEY_HEADER -> credential;
                    });
        }
        return new ServerAddress.Http(URI.create(spec.endpoint().strip()), headers);
    }

    private Duration startupTimeout(McpServer.Spec spec, ServerAddress address) {
        Duration usual = defaults.startupTimeout();
        return duration(
                spec.startupTimeout(), PackageRunner.startupTimeout(command(address), usual));
    }

    /** What is run, in a container as far as the manifest says. */
    private static List<String> command(ServerAddress address) {
        return switch (address) {
            case ServerAddress.Stdio stdio -> stdio.command();
            case ServerAddress.Exec exec -> exec.command();
            case ServerAddress.Container container ->
                    Stream.concat(
                                    container.spec().entrypoint().stream(),
                                    container.spec().args().stream())
                            .toList();
            case ServerAddress.Http _, ServerAddress.Sse _ -> List.of();
        };
    }

    private ServerDefinition definition(McpServer server, ServerAddress address) {
        McpServer.Spec spec = server.spec();
        ServerRequestPolicy requestPolicy = requestPolicy(spec.bridge());
        return new ServerDefinition(
                server.key(),
                new SessionKey(
                        server.metadata().uid(),
                        server.metadata().generation(),
                        new Connection(address, server.restartedAt(), requestPolicy)),
                address,
                reconnect(spec.reconnect()),
                idleTimeout(spec),
                positive(spec.timeout(), DEFAULT_CALL_TIMEOUT),
                startupTimeout(spec, address),
                duration(spec.idleCallTimeout(), Duration.ZERO),
                limits(spec),
                policy(spec),
                new OutputLimit(spec.maxOutputBytes(), spec.maxOutputTokens()),
                number(spec.maxSessions(), 1),
                spec.allowsOneSession(),
                requestPolicy,
                isolation(spec),
                argumentMode(spec));
    }

    private static ArgumentMode argumentMode(McpServer.Spec spec) {
        return switch (spec.argumentCheck()) {
            case null -> ArgumentMode.COERCE;
            case STRICT -> ArgumentMode.STRICT;
            case COERCE -> ArgumentMode.COERCE;
            case OFF -> ArgumentMode.OFF;
        };
    }

    private static Isolation isolation(McpServer.Spec spec) {
        SessionScope scope =
                switch (spec.sessionScope()) {
                    case null -> SessionScope.DETECTED;
                    case SHARED -> SessionScope.SHARED;
                    case AGENT -> SessionScope.AGENT;
                    case CALL -> SessionScope.CALL;
                };
        return new Isolation(
                scope,
                spec.allowsOneSession() ? 1 : number(spec.maxSessions(), SESSIONS_OF_CLIENTS));
    }

    private static ServerRequestPolicy requestPolicy(McpServer.@Nullable Bridge spec) {
        if (spec == null) {
            return ServerRequestPolicy.DEFAULT;
        }
        Map<String, McpServer.@Nullable BridgePolicy> policies = new LinkedHashMap<>();
        policies.put(ClientCapabilities.ELICITATION, spec.elicitation());
        policies.put(ClientCapabilities.SAMPLING, spec.sampling());
        policies.put(ClientCapabilities.ROOTS, spec.roots());
        return new ServerRequestPolicy(
                named(policies, McpServer.BridgePolicy.PARK),
                named(policies, McpServer.BridgePolicy.REJECT),
                Objects.requireNonNullElseGet(
                        spec.extensions(), JsonNodeFactory.instance::objectNode));
    }

    private static Set<String> named(
            Map<String, McpServer.@Nullable BridgePolicy> policies, McpServer.BridgePolicy policy) {
        return Frozen.set(
                policies.entrySet().stream()
                        .filter(entry -> entry.getValue() == policy)
                        .map(Map.Entry::getKey)
                        .toList());
    }

    /** Who asks for a session on demand has it closed again some time. */
    private static Duration idleTimeout(McpServer.Spec spec) {
        return duration(
                spec.idleTimeout(), spec.startsOnDemand() ? DEFAULT_IDLE_TIMEOUT : Duration.ZERO);
    }

    private static SessionPolicy policy(McpServer.Spec spec) {
        Long calls = spec.maxCalls();
        return new SessionPolicy(
                health(spec),
                duration(spec.maxLifetime(), Duration.ZERO),
                calls == null ? 0 : calls,
                Optional.ofNullable(spec.drainTimeout()).map(GoDuration::toDuration));
    }

    /** A process that stays is looked after unasked; to others a ping would be a burden. */
    private static Optional<HealthProbe> health(McpServer.Spec spec) {
        McpServer.Health given = spec.health();
        boolean staysWarm = idleTimeout(spec).isZero();
        if (given == null) {
            return spec.transport() == McpServer.Transport.STDIO && staysWarm
                    ? Optional.of(DEFAULT_PROBE)
                    : Optional.empty();
        }
        Duration period = duration(given.period(), DEFAULT_PROBE.period());
        return period.isZero()
                ? Optional.empty()
                : Optional.of(
                        new HealthProbe(
                                period,
                                positive(given.timeout(), DEFAULT_PROBE.timeout()),
                                number(given.failures(), DEFAULT_PROBE.failures())));
    }

    private static CallLimits limits(McpServer.Spec spec) {
        CallLimits usual = CallLimits.DEFAULT;
        McpServer.RateLimit rate = spec.rateLimit();
        McpServer.CircuitBreaker breaker = spec.circuitBreaker();
        return new CallLimits(
                number(spec.maxConcurrentCalls(), usual.maxConcurrent()),
                number(spec.maxQueuedCalls(), usual.maxQueued()),
                duration(spec.queueTimeout(), usual.queueTimeout()),
                rate == null
                        ? Optional.empty()
                        : Optional.of(
                                new CallLimits.Rate(rate.calls(), rate.period().toDuration())),
                breaker == null
                        ? Optional.empty()
                        : Optional.of(
                                new CallLimits.Breaker(
                                        number(breaker.failures(), DEFAULT_FAILURES),
                                        duration(breaker.window(), DEFAULT_WINDOW),
                                        duration(breaker.openFor(), DEFAULT_OPEN_FOR))));
    }

    private static ReconnectPolicy reconnect(McpServer.@Nullable Reconnect spec) {
        if (spec == null) {
            return new ReconnectPolicy(DEFAULT_ATTEMPTS, DEFAULT_BACKOFF);
        }
        return new ReconnectPolicy(
                number(spec.maxAttempts(), DEFAULT_ATTEMPTS),
                duration(spec.backoff(), DEFAULT_BACKOFF));
    }

    private static int number(@Nullable Integer given, int otherwise) {
        return given == null ? otherwise : given;
    }

    private static Duration duration(@Nullable GoDuration given, Duration otherwise) {
        return given == null ? otherwise : given.toDuration();
    }

    /** No call could ever succeed within nothing, so zero means the default. */
    private static Duration positive(@Nullable GoDuration given, Duration otherwise) {
        Duration duration = duration(given, otherwise);
        return duration.isZero() ? otherwise : duration;
    }
}
