package dev.orloj.controllers.mcpserver;

import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.ServingPolicy;
import dev.orloj.api.approval.ToolPolicy;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.core.Secret;
import dev.orloj.api.findings.KnownTools;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec.Hosting;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.informer.Index;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;
import dev.orloj.controllers.login.LoginTarget;
import dev.orloj.controllers.mcpserver.definition.DefinitionResolver;
import dev.orloj.controllers.mcpserver.definition.McpServerView;
import dev.orloj.controllers.mcpserver.definition.References;
import dev.orloj.controllers.mcpserver.definition.Resolution;
import dev.orloj.controllers.mcpserver.definition.SandboxResolver;
import dev.orloj.controllers.mcpserver.definition.ServerDefaults;
import dev.orloj.controllers.policy.PolicyCheck;
import dev.orloj.controllers.review.ServerReviews;
import dev.orloj.controllers.review.StoredResources;
import dev.orloj.controllers.sandbox.SandboxResolution;
import dev.orloj.controllers.secret.SecretLookup;
import dev.orloj.runtime.listing.ListingLimits;
import dev.orloj.runtime.session.SessionManager;

import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Holds the caches that a reconcile reads. All reads are from memory. Thread-safe. */
final class McpServerCaches {

    private final Informer<McpServer> servers;
    private final Informer<Tool> tools;
    private final SecretLookup secrets;
    private final Informer<ConfigMap> configMaps;
    private final Informer<Sandbox> sandboxes;
    private final Informer<ToolPolicy> toolPolicies;
    private final Informer<McpServerPolicy> serverPolicies;
    private final Informer<Namespace> namespaces;
    private final SandboxResolver sandboxResolver;
    private final Index<Tool> byServer;
    private final Index<Tool> byAgentName;
    private final Index<Tool> byListedName;
    private final DefinitionResolver resolver;
    private final PolicyCheck policies;
    private final ServerDefaults defaults;

    /** The kinds whose caches a reconcile reads. */
    static final List<Kind<?>> KINDS =
            List.of(
                    McpServer.KIND,
                    Tool.KIND,
                    Secret.KIND,
                    ConfigMap.KIND,
                    Sandbox.KIND,
                    ToolPolicy.KIND,
                    McpServerPolicy.KIND,
                    Namespace.KIND);

    /**
     * Creates the indexes and resolvers.
     *
     * @param informers of these kinds at least; not started yet
     */
    McpServerCaches(Informers informers, ServerDefaults defaults) {
        this.servers = informers.of(McpServer.KIND);
        this.tools = informers.of(Tool.KIND);
        this.configMaps = informers.of(ConfigMap.KIND);
        this.sandboxes = informers.of(Sandbox.KIND);
        this.toolPolicies = informers.of(ToolPolicy.KIND);
        this.serverPolicies = informers.of(McpServerPolicy.KIND);
        this.namespaces = informers.of(Namespace.KIND);
        this.secrets =
                new SecretLookup(
                        informers.of(Secret.KIND), namespaces, defaults.secrets().mounted());
        this.defaults = defaults;
        this.policies = PolicyCheck.of(serverPolicies, namespaces, defaults.containers());
        this.sandboxResolver = new SandboxResolver(secrets::find, defaults, policies);
        this.byServer =
                tools.addIndex(
                        tool -> controllerOf(tool).map(ResourceKey::toString).stream().toList());
        this.byAgentName = tools.addIndex(tool -> List.of(agentTerm(tool)));
        this.byListedName = tools.addIndex(McpServerCaches::listedTerms);
        this.resolver =
                new DefinitionResolver(
                        secrets::find,
                        key -> configMaps.cache().find(key),
                        key -> sandboxes.cache().find(key),
                        defaults,
                        policies,
                        namespace -> toolPolicies.cache().inNamespace(namespace));
    }

    Informer<McpServer> servers() {
        return servers;
    }

    Informer<Tool> tools() {
        return tools;
    }

    SecretLookup secrets() {
        return secrets;
    }

    Informer<ConfigMap> configMaps() {
        return configMaps;
    }

    Informer<Sandbox> sandboxes() {
        return sandboxes;
    }

    Informer<ToolPolicy> toolPolicies() {
        return toolPolicies;
    }

    Informer<McpServerPolicy> serverPolicies() {
        return serverPolicies;
    }

    Informer<Namespace> namespaces() {
        return namespaces;
    }

    SandboxResolution resolve(Sandbox sandbox) {
        return sandboxResolver.resolve(sandbox);
    }

    /**
     * Returns the McpServer that controls a Tool, by name. Does not compare the uid, so a server
     * that was deleted and created again matches too.
     */
    static Optional<ResourceKey> controllerOf(Tool tool) {
        return tool.metadata()
                .controller()
                .filter(owner -> owner.apiVersion().equals(McpServer.KIND.apiVersion()))
                .filter(owner -> owner.kind().equals(McpServer.KIND.name()))
                .map(owner -> new ResourceKey(tool.metadata().namespace(), owner.name()));
    }

    Optional<McpServer> find(ResourceKey key) {
        return servers.cache().find(key);
    }

    /** Returns the servers that refer to a Secret directly or may do so through their Sandbox. */
    List<McpServer> usersOf(Secret secret) {
        String name = secret.metadata().name();
        return beside(
                secret,
                server ->
                        server.spec().hosting() instanceof Hosting.InSandbox
                                || References.secretNames(server).contains(name));
    }

    /** Returns the servers that run in a Sandbox. */
    List<McpServer> usersOf(Sandbox sandbox) {
        String name = sandbox.metadata().name();
        return beside(
                sandbox,
                server ->
                        server.spec().hosting() instanceof Hosting.InSandbox(_, String used)
                                && used.equals(name));
    }

    /** Returns the servers that refer to a ConfigMap. */
    List<McpServer> usersOf(ConfigMap configMap) {
        String name = configMap.metadata().name();
        return beside(configMap, server -> References.configMapNames(server.spec()).contains(name));
    }

    /** Returns the servers that a ToolPolicy applies to. */
    List<McpServer> usersOf(ToolPolicy policy) {
        return servers.cache().inNamespace(policy.metadata().namespace()).stream()
                .filter(server -> policy.selects(server.metadata().name()))
                .toList();
    }

    /** Returns the servers in the namespaces that an McpServerPolicy selects. */
    List<McpServer> usersOf(McpServerPolicy policy) {
        return namespaces.cache().list().stream()
                .filter(namespace -> policy.selects(namespace.metadata().labels()))
                .flatMap(namespace -> usersOf(namespace).stream())
                .toList();
    }

    /** Returns the servers of a namespace. */
    List<McpServer> usersOf(Namespace namespace) {
        return serversOf(namespace.metadata().name());
    }

    /** Returns the servers of a namespace, by its name. */
    List<McpServer> serversOf(String namespace) {
        return List.copyOf(servers.cache().inNamespace(namespace));
    }

    private List<McpServer> beside(Resource referred, Predicate<McpServer> refers) {
        return servers.cache().inNamespace(referred.metadata().namespace()).stream()
                .filter(server -> refers.test(server))
                .toList();
    }

    /**
     * Returns the reviews of servers, from these caches.
     *
     * @param images returns whether an image is on this host
     * @param ready returns whether the caches have synced
     */
    ServerReviews reviews(
            SessionManager sessions,
            Predicate<String> images,
            BooleanSupplier ready,
            InstantSource clock) {
        StoredResources stored =
                new StoredResources() {
                    @Override
                    public Optional<McpServer> server(ResourceKey key) {
                        return find(key);
                    }

                    @Override
                    public Optional<Secret> secret(ResourceKey key) {
                        return secrets.find(key);
                    }

                    @Override
                    public Optional<ConfigMap> configMap(ResourceKey key) {
                        return configMaps.cache().find(key);
                    }

                    @Override
                    public Optional<Sandbox> sandbox(ResourceKey key) {
                        return sandboxes.cache().find(key);
                    }

                    @Override
                    public KnownTools toolsBeside(ResourceKey server) {
                        return McpServerCaches.this.toolsBeside(server);
                    }

                    @Override
                    public PolicyCheck policies() {
                        return policies;
                    }
                };
        return ServerReviews.of(stored, defaults, sessions, images, ready, clock);
    }

    /** Returns the limits for the tool list of a server. */
    ListingLimits listingLimits(McpServer server) {
        return defaults.listing(server.spec());
    }

    LoginTarget loginTarget(McpServer server) {
        return resolver.loginTarget(server);
    }

    Resolution resolve(McpServer server) {
        return resolver.resolve(server);
    }

    /** Returns what decides which definitions of a server are served. */
    ServingPolicy policy(McpServer server) {
        return ServingPolicy.of(
                server.metadata().name(),
                server.spec().offer().toolPolicy(),
                toolPolicies.cache().inNamespace(server.metadata().namespace()));
    }

    /**
     * Returns the names of the environment variables of orlojd, and the paths of files, that a
     * server uses in place of Secrets.
     */
    List<String> sources(McpServer server) {
        return switch (resolve(server)) {
            case Resolution.Resolved resolved -> resolved.sources();
            case Resolution.Refused _, Resolution.Suspended _ -> List.of();
        };
    }

    /**
     * Takes a view of a server for one plan. The caches may change while the plan is made. A Tool
     * of this server that arrives in the meantime is the Tool that the plan is about to create
     * again, so it does not reserve its name: the create is refused, and the next reconcile sees
     * the Tool.
     */
    McpServerView view(McpServer server) {
        String namespace = server.metadata().namespace();
        List<Tool> own = byServer.find(server.key().toString());
        Set<ResourceKey> known = own.stream().map(Tool::key).collect(Collectors.toSet());
        Predicate<Tool> isInTheWay =
                tool ->
                        known.contains(tool.key())
                                || !controllerOf(tool).equals(Optional.of(server.key()));
        return new McpServerView(
                server,
                resolve(server),
                policy(server),
                own,
                name ->
                        tools.cache()
                                .find(new ResourceKey(namespace, name))
                                .filter(isInTheWay)
                                .isPresent(),
                name -> byAgentName.find(namespace + "/" + name).stream().anyMatch(isInTheWay));
    }

    /**
     * Returns the tools of the other servers of the namespace. What other namespaces have is not
     * for the users of this one to see.
     */
    KnownTools toolsBeside(ResourceKey server) {
        String namespace = server.namespace();
        String name = server.name();
        Predicate<Tool> isOfAnother = tool -> !tool.spec().mcpServerRef().equals(name);
        return new KnownTools(
                term ->
                        byListedName
                                .find(namespace + "/" + term, isOfAnother, KnownTools.MAX_OF_TERM)
                                .stream()
                                .map(McpServerCaches::known)
                                .toList());
    }

    private static KnownTools.KnownTool known(Tool tool) {
        return new KnownTools.KnownTool(
                tool.spec().mcpServerRef(),
                tool.spec().mcpToolName(),
                Objects.requireNonNullElse(tool.spec().definition().description(), ""));
    }

    private static List<String> listedTerms(Tool tool) {
        if (tool.spec().mcpToolName().isEmpty()) {
            return List.of();
        }
        String namespace = tool.metadata().namespace();
        return KnownTools.terms(tool.spec().mcpToolName()).stream()
                .map(term -> namespace + "/" + term)
                .toList();
    }

    private static String agentTerm(Tool tool) {
        return tool.metadata().namespace() + "/" + tool.spec().agentName();
    }
}
