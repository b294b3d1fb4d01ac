package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.FieldError;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Secret;
import dev.orloj.api.core.SecretRef;
import dev.orloj.api.v1.HttpAuth;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.program.PackageRunner;
import dev.orloj.controllers.sandbox.SandboxResolution;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.transport.ServerAddress;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Resolves a manifest to the definition that opens a session. Immutable and thread-safe. */
public final class DefinitionResolver {

    static final String POLICY_VIOLATED = "SandboxPolicyViolated";
    static final String MOUNT_REFUSED = "MountRefused";
    static final String INVALID_SPEC = "InvalidSpec";
    static final String SECRET_NOT_FOUND = "SecretNotFound";
    static final String SECRET_KEY_NOT_FOUND = "SecretKeyNotFound";
    static final String CONFIG_MAP_NOT_FOUND = "ConfigMapNotFound";
    static final String SANDBOX_NOT_FOUND = "SandboxNotFound";
    static final String SECRET_NOT_USABLE = "SecretNotUsable";

    /**
     * The values that require a new session when they change.
     *
     * @param restart the latest restart that was requested
     * @param requestPolicy the capabilities that the server gets at initialization
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

    /** Returns the names of the Secrets that a manifest refers to. All are in its own namespace. */
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

    /**
     * Returns the names of the ConfigMaps that a manifest refers to. All are in its own namespace.
     */
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

    /**
     * Formats the violations for a condition. Admission accepted the manifest, so the policy must
     * have become stricter since.
     */
    static String describe(List<FieldError> excesses) {
        return "The settings of orlojd now allow less: "
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

    /**
     * Limits the grace period of a server that must have ended before another replica may start it.
     */
    private Duration grace(McpServer.Spec spec) {
        Duration grace = SpecPolicies.duration(spec.shutdownGrace(), defaults.shutdownGrace());
        return spec.allowsOneSession() && grace.compareTo(McpServer.MOST_SINGLETON_GRACE) > 0
                ? McpServer.MOST_SINGLETON_GRACE
                : grace;
    }

    /**
     * Returns the address of a program. It runs on the host, in its own container, or in an
     * existing one.
     */
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

    /** Splits a command at white space. No shell parses it. Arguments are not split. */
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
        HttpAuth auth = spec.auth();
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
        return SpecPolicies.duration(
                spec.startupTimeout(), PackageRunner.startupTimeout(command(address), usual));
    }

    /** Returns the command that runs. For a container, this is the part that the manifest sets. */
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
        ServerRequestPolicy requestPolicy = SpecPolicies.requestPolicy(spec.bridge());
        return new ServerDefinition(
                server.key(),
                new SessionKey(
                        server.metadata().uid(),
                        server.metadata().generation(),
                        new Connection(address, server.restartedAt(), requestPolicy)),
                address,
                SpecPolicies.reconnect(spec.reconnect()),
                SpecPolicies.idleTimeout(spec),
                SpecPolicies.positive(spec.timeout(), SpecPolicies.DEFAULT_CALL_TIMEOUT),
                startupTimeout(spec, address),
                SpecPolicies.duration(spec.idleCallTimeout(), Duration.ZERO),
                SpecPolicies.limits(spec),
                SpecPolicies.upkeep(spec),
                new OutputLimit(spec.maxOutputBytes(), spec.maxOutputTokens()),
                SpecPolicies.number(spec.maxSessions(), 1),
                spec.allowsOneSession(),
                requestPolicy,
                SpecPolicies.isolation(spec),
                SpecPolicies.argumentMode(spec));
    }
}
