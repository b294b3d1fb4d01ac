package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.ApiException;
import dev.orloj.api.FieldError;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.ResultAction;
import dev.orloj.api.approval.ServingPolicy;
import dev.orloj.api.approval.ToolPolicy;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Secret;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.pod.PodTemplate;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.api.v1.McpServerSpec.Hosting;
import dev.orloj.api.v1.McpServerSpec.Http;
import dev.orloj.api.v1.McpServerSpec.Image;
import dev.orloj.api.v1.McpServerSpec.Program;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.login.LoginTarget;
import dev.orloj.controllers.policy.PolicyCheck;
import dev.orloj.controllers.program.PackageRunner;
import dev.orloj.controllers.sandbox.SandboxResolution;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.container.spec.PodReuse;
import dev.orloj.runtime.scale.ScaledServer;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.workload.SecretValues;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
    static final String ENCRYPTION_KEY_MISSING = "EncryptionKeyMissing";
    static final String SECRET_NOT_USABLE = "SecretNotUsable";

    /**
     * The values that require a new session when they change.
     *
     * @param restart the latest restart that was requested
     * @param requestPolicy the capabilities that the server gets at initialization
     * @param maxMessageBytes the longest message that is read from the server
     */
    private record Connection(
            ServerAddress address,
            String restart,
            ServerRequestPolicy requestPolicy,
            int maxMessageBytes) {}

    private final Function<ResourceKey, Optional<Secret>> secrets;
    private final Function<ResourceKey, Optional<ConfigMap>> configMaps;
    private final Function<ResourceKey, Optional<Sandbox>> sandboxes;
    private final SandboxResolver sandboxResolver;
    private final ServerDefaults defaults;
    private final PolicyCheck policies;
    private final Function<String, Collection<ToolPolicy>> toolPolicies;

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
        this(secrets, configMaps, sandboxes, defaults, PolicyCheck.NONE, _ -> List.of());
    }

    /**
     * @param policies what servers and Sandboxes may run now
     * @param toolPolicies returns the ToolPolicies of a namespace
     */
    public DefinitionResolver(
            Function<ResourceKey, Optional<Secret>> secrets,
            Function<ResourceKey, Optional<ConfigMap>> configMaps,
            Function<ResourceKey, Optional<Sandbox>> sandboxes,
            ServerDefaults defaults,
            PolicyCheck policies,
            Function<String, Collection<ToolPolicy>> toolPolicies) {
        this.secrets = secrets;
        this.configMaps = configMaps;
        this.sandboxes = sandboxes;
        this.sandboxResolver = new SandboxResolver(secrets, defaults, policies);
        this.defaults = defaults;
        this.policies = policies;
        this.toolPolicies = toolPolicies;
    }

    public Resolution resolve(McpServer server) {
        McpServerSpec spec = server.spec();
        if (spec.suspension().isPresent()) {
            return new Resolution.Suspended(spec.suspension().get());
        }
        List<FieldError> excesses = defaults.containers().check(spec);
        if (!excesses.isEmpty()) {
            return new Resolution.Refused(POLICY_VIOLATED, describe(excesses));
        }
        String objection = policies.objection(server);
        if (!objection.isEmpty()) {
            return forbidden(objection);
        }
        ReferencedValues values = values(server);
        try {
            Environment environment = Environment.of(spec.program(), values);
            objection = policies.objection(server, environment.variables().keySet());
            if (!objection.isEmpty()) {
                return forbidden(objection);
            }
            ServerAddress address = address(server, environment, values);
            return new Resolution.Resolved(
                    definition(server, address, SecretValues.of(values.shown())),
                    values.shown(),
                    environment.notes(),
                    values.sources());
        } catch (UnresolvedReferenceException e) {
            return new Resolution.Refused(
                    e.reason(), ConditionMessage.of(String.valueOf(e.getMessage())));
        } catch (IllegalArgumentException e) {
            return new Resolution.Refused(
                    INVALID_SPEC, ConditionMessage.of(String.valueOf(e.getMessage())));
        }
    }

    private ReferencedValues values(McpServer server) {
        return new ReferencedValues(
                name -> secrets.apply(beside(server, name)),
                name -> configMaps.apply(beside(server, name)),
                defaults.secrets(),
                server.metadata().namespace());
    }

    /**
     * Returns where users log in for a server.
     *
     * @throws ApiException when they cannot, because of the manifest, a Secret or a policy
     */
    public LoginTarget loginTarget(McpServer server) {
        String objection = policies.objection(server);
        if (!objection.isEmpty()) {
            throw ApiException.forbidden(McpServer.KIND, server.metadata().name(), objection);
        }
        return HttpCredentials.loginTarget(server, values(server));
    }

    private static Resolution forbidden(String objection) {
        return new Resolution.Refused(PolicyCheck.VIOLATED, ConditionMessage.of(objection));
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
        Map<String, String> variables = environment.variables();
        Duration grace = grace(server.spec());
        return switch (server.spec().hosting()) {
            case Hosting.HostProcess(Program program) ->
                    new ServerAddress.Stdio(
                            command(program),
                            variables,
                            grace,
                            defaults.users().of(server.metadata().namespace()));
            case Hosting.OwnContainer(Program program, Image image) -> {
                ContainerSpec container =
                        ServerContainer.of(
                                server, program, image, variables, values, defaults.containers());
                yield switch (ServerContainer.engine(
                        server.metadata().namespace(), policies, defaults.containers())) {
                    case CONTAINER -> new ServerAddress.Container(container, grace);
                    case POD ->
                            new ServerAddress.Pod(
                                    container,
                                    Objects.requireNonNullElse(image.pod(), PodTemplate.NONE),
                                    grace,
                                    reuse(server));
                };
            }
            case Hosting.ExistingContainer existing ->
                    new ServerAddress.Exec(
                            target(server, existing),
                            command(existing.program()),
                            variables,
                            grace);
            case Hosting.Remote(Http http, boolean sse) -> {
                ServerAddress.Http address =
                        http(server, http, values, ScaleTargetResolver.of(server, defaults));
                yield sse ? new ServerAddress.Sse(address) : address;
            }
        };
    }

    /**
     * Returns whether the Pod of a server may serve later sessions: not if it belongs to a client,
     * because another client would get it.
     */
    private static PodReuse reuse(McpServer server) {
        McpServerSpec spec = server.spec();
        if (!SpecPolicies.sharing(spec.sharing()).isolation().isShared()) {
            return new PodReuse.None();
        }
        ServerRequestPolicy requests = SpecPolicies.requestPolicy(spec.bridge());
        return PodReuse.of(
                String.join(
                        "\n",
                        server.metadata().uid(),
                        server.restartedAt(),
                        new TreeSet<>(requests.parked()).toString(),
                        new TreeSet<>(requests.rejected()).toString(),
                        CanonicalJson.of(requests.extensions())));
    }

    private ExecTarget target(McpServer server, Hosting.ExistingContainer existing) {
        return switch (existing) {
            case Hosting.InSandbox(_, String sandbox) -> sandbox(server, sandbox);
            case Hosting.Attached(_, McpServer.Attach attach) ->
                    new ExecTarget.Borrowed(attach.container());
        };
    }

    /**
     * Limits the grace period of a server that must have ended before another replica may start it.
     */
    private Duration grace(McpServerSpec spec) {
        Duration grace =
                SpecPolicies.duration(spec.lifetime().shutdownGrace(), defaults.shutdownGrace());
        return spec.sharing().allowsOneSession()
                        && grace.compareTo(McpServer.MAX_SINGLETON_GRACE) > 0
                ? McpServer.MAX_SINGLETON_GRACE
                : grace;
    }

    private ExecTarget.Managed sandbox(McpServer server, String name) {
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
            case SandboxResolution.Resolved(ExecTarget.Managed target) -> target;
            case SandboxResolution.Refused(String reason, String message) ->
                    throw new UnresolvedReferenceException(
                            reason, "Sandbox \"%s\": %s".formatted(name, message));
        };
    }

    private static List<String> command(Program program) {
        List<String> words = new ArrayList<>(words(program.command()));
        words.addAll(program.args());
        return words;
    }

    /** Splits a command at white space. No shell parses it. Arguments are not split. */
    static List<String> words(String command) {
        return command.isBlank() ? List.of() : List.of(command.strip().split("\\s+"));
    }

    private ServerAddress.Http http(
            McpServer server, Http http, ReferencedValues values, Optional<ScaledServer> scaled) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (McpServer.Header header : http.headers()) {
            String literal = header.value();
            values.at("spec.headers[%d].secretRef", http.headers().indexOf(header));
            headers.put(
                    header.name(),
                    literal == null ? values.headerValue(header.secretRef()) : literal.strip());
        }
        URI endpoint = URI.create(http.endpoint().strip());
        McpServerSpec.Auth auth = http.auth();
        if (auth != null && auth.oauth() != null) {
            return new ServerAddress.Http(
                    endpoint,
                    headers,
                    HttpCredentials.oauth(server, auth.oauth(), values, defaults.logins()),
                    scaled);
        }
        if (auth != null) {
            values.at("spec.auth.secretRef");
            String credential = values.headerValue(auth.secretRef());
            headers.put(auth.http().header(), auth.http().value(credential));
        }
        return new ServerAddress.Http(endpoint, headers, null, scaled);
    }

    private Duration startupTimeout(McpServerSpec spec, ServerAddress address) {
        Duration usual = defaults.startupTimeout();
        return SpecPolicies.duration(
                spec.lifetime().startupTimeout(),
                PackageRunner.startupTimeout(command(address), usual));
    }

    /** Returns the command that runs. For a container, this is the part that the manifest sets. */
    private static List<String> command(ServerAddress address) {
        return switch (address) {
            case ServerAddress.Stdio stdio -> stdio.command();
            case ServerAddress.Exec exec -> exec.command();
            case ServerAddress.Container(ContainerSpec container, _) -> command(container);
            case ServerAddress.Pod(ContainerSpec container, _, _, _) -> command(container);
            case ServerAddress.Http _, ServerAddress.Sse _ -> List.of();
        };
    }

    private static List<String> command(ContainerSpec container) {
        return Stream.concat(container.entrypoint().stream(), container.args().stream()).toList();
    }

    private ServerDefinition definition(
            McpServer server, ServerAddress address, SecretValues secrets) {
        McpServerSpec spec = server.spec();
        ServerRequestPolicy requestPolicy = SpecPolicies.requestPolicy(spec.bridge());
        int maxMessageBytes =
                SpecPolicies.number(spec.calls().maxMessageBytes(), ServerDefinition.ANY_MESSAGE);
        return new ServerDefinition(
                server.key(),
                new SessionKey(
                        server.metadata().uid(),
                        server.metadata().generation(),
                        new Connection(
                                address, server.restartedAt(), requestPolicy, maxMessageBytes)),
                address,
                SpecPolicies.reconnect(spec.lifetime().reconnect()),
                SpecPolicies.timeouts(spec, startupTimeout(spec, address)),
                SpecPolicies.limits(spec),
                SpecPolicies.upkeep(spec),
                SpecPolicies.outputLimit(spec.calls().output()),
                SpecPolicies.sharing(spec.sharing()),
                requestPolicy,
                SpecPolicies.argumentMode(spec.calls().argumentCheck()),
                maxMessageBytes,
                SpecPolicies.resultPolicy(
                        ResultAction.strictest(
                                server.metadata().name(),
                                spec.offer().resultPolicy(),
                                toolPolicies.apply(server.metadata().namespace()))),
                secrets,
                !ServingPolicy.of(
                                server.metadata().name(),
                                spec.offer().toolPolicy(),
                                toolPolicies.apply(server.metadata().namespace()))
                        .isEmpty());
    }
}
