package dev.orloj.server.mcp;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.runtime.call.OtherReplicas;
import dev.orloj.runtime.call.ServerCaller;
import dev.orloj.runtime.call.ServerExchange;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.call.WithheldTools;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.gateway.InstallationId;
import dev.orloj.runtime.observation.CallIds;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.observation.CallObservers;
import dev.orloj.runtime.result.KeptResults;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.result.ResultLimiter;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.CountingCatalog;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.http.ParameterHeaders;
import dev.orloj.server.audit.CallAudit;
import dev.orloj.server.disconnect.ClientDisconnects;
import dev.orloj.server.mcp.catalog.FeatureCache;
import dev.orloj.server.mcp.elicitation.CallingClient;
import dev.orloj.server.mcp.elicitation.LegacyElicitationBridge;
import dev.orloj.server.mcp.elicitation.RequestStates;
import dev.orloj.server.mcp.elicitation.ServerToClientRequests;
import dev.orloj.server.mcp.elicitation.SuspendedCallLostException;
import dev.orloj.server.mcp.elicitation.SuspendedCalls;
import dev.orloj.server.mcp.elicitation.UrlElicitations;
import dev.orloj.server.mcp.legacysse.LegacySseConnections;
import dev.orloj.server.mcp.legacysse.LegacySseEndpoint;
import dev.orloj.server.mcp.methods.CallResults;
import dev.orloj.server.mcp.methods.FeatureHandlers;
import dev.orloj.server.mcp.methods.MethodHandlers;
import dev.orloj.server.mcp.methods.ServerInitializer;
import dev.orloj.server.mcp.protocol.LegacySseExposure;
import dev.orloj.server.mcp.resumption.RecordedStreams;
import dev.orloj.server.mcp.resumption.RecordingLimits;
import dev.orloj.server.mcp.session.SessionLogLevels;
import dev.orloj.server.mcp.subscriptions.ResourceSubscriptions;
import dev.orloj.server.mcp.subscriptions.Subscriptions;
import dev.orloj.server.rest.http.OpenStreams;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.testing.HeldInformers;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import jakarta.servlet.http.HttpServlet;

import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The MCP endpoints alone, on a port of their own, before one scripted server. */
public final class McpRig implements AutoCloseable {

    public static final ServerDefinition SERVER = Definitions.server("github");

    /** The tool that is there from the beginning. */
    public static final String ECHO =
            """
            {"name":"echo","description":"Says it again","inputSchema":{"type":"object"}}\
            """;

    /** How long agents may take to answer what servers ask. */
    public static final Duration INPUT_TIMEOUT = Duration.ofMinutes(1);

    static final String REPLICA = "here";

    /** Of these at least one has no tools. */
    private static final Set<String> NAMESPACES = Set.of("default", "empty", "other");

    private static final SecretCipher CIPHER =
            SecretCipher.fromBase64("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");

    /** What this replica gives out, and all others of its kind accept. */
    public static final RequestStates STATES = new McpConfiguration().mcpRequestStates(CIPHER);

    private static final Logger TOMCAT = Logger.getLogger("org.apache");

    static {
        TOMCAT.setLevel(Level.SEVERE);
    }

    private final SystemScheduler clock = new SystemScheduler();
    private final FakeTransports servers = new FakeTransports();
    private final CountingCatalog catalog = new CountingCatalog();
    private final HeldInformers informers =
            new HeldInformers(
                    tool ->
                            putTool(
                                    new ResourceKey(
                                            tool.key().namespace(), tool.spec().mcpServerRef()),
                                    ECHO.replace("echo", tool.spec().mcpToolName())),
                    server -> catalog.putServer(Definitions.server(server.key().name())),
                    NAMESPACES);
    private final FeatureCache cache = new FeatureCache();
    private final Subscriptions subscriptions = new Subscriptions(clock, catalog);
    private final ResourceSubscriptions resources = new ResourceSubscriptions(clock, subscriptions);
    private final SessionLogLevels logLevels = new SessionLogLevels();
    private final UrlElicitations elicitations = new UrlElicitations();
    private final SessionManager sessions =
            new SessionManager(
                    servers,
                    new NotificationRouter(
                            cache, subscriptions, resources, elicitations, logLevels),
                    clock,
                    new Random(1),
                    SessionSettings.withVersion("test"));
    private final LegacySseConnections connections =
            new LegacySseConnections(
                    "here",
                    (replica, kind, request) -> {
                        throw new IllegalStateException("There is no " + replica);
                    });
    private final OpenStreams streams = new OpenStreams(new SimpleMeterRegistry());
    private final ClientDisconnects disconnects = new ClientDisconnects();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final SuspendedCalls suspended;
    private final Map<ResourceKey, Map<String, String>> held = new ConcurrentHashMap<>();
    private final RecordedStreams recorded = new RecordedStreams(clock, RecordingLimits.DEFAULT);
    private final LegacySseEndpoint.Parts legacySse;
    private final McpEndpoint endpoint;
    private final WebServer web;

    public McpRig() {
        this(0, Hurried::of, UnaryOperator.identity());
    }

    /**
     * @param answers the clock by which an answer that takes its time becomes a stream
     * @param inputs the clock by which agents may take {@link #INPUT_TIMEOUT} for what servers ask
     */
    private McpRig(int port, UnaryOperator<Scheduler> answers, UnaryOperator<Scheduler> inputs) {
        McpConfiguration configuration = new McpConfiguration();
        Scheduler waiting = inputs.apply(clock);
        suspended = new SuspendedCalls(STATES, REPLICA, INPUT_TIMEOUT, waiting);
        ServerToClientRequests questions =
                new ServerToClientRequests(REPLICA, INPUT_TIMEOUT, elicitations);
        catalog.addListener(subscriptions);
        catalog.putServer(SERVER);
        putTool(SERVER.server(), ECHO);
        LegacySseExposure sse = new LegacySseExposure(false, catalog);
        ServerInitializer initializer =
                new ServerInitializer(catalog, informers.freshness(), "test", clock, sse);
        FeatureHandlers features =
                configuration.mcpFeatureMethods(
                        catalog,
                        informers.freshness(),
                        new ServerCaller(
                                catalog,
                                new ServerExchange(catalog, sessions, OtherReplicas.NONE),
                                CallObserver.NONE),
                        cache,
                        resources,
                        logLevels,
                        new CallResults(elicitations));
        MethodHandlers handlers =
                configuration.mcpMethodHandlers(
                        initializer,
                        catalog,
                        informers.freshness(),
                        caller(),
                        new CallIds("here", Instant.EPOCH),
                        features,
                        new CallResults(elicitations),
                        new LegacyElicitationBridge(
                                catalog, suspended, STATES, McpRig::lost, waiting),
                        new InstallationId(new MemoryResourceClient(InstantSource.system())),
                        new CallObservers(List.of()),
                        CallAudit.NONE,
                        new WithheldTools(catalog, server -> held.getOrDefault(server, Map.of())));
        legacySse =
                new LegacySseEndpoint.Parts(
                        sse,
                        connections,
                        streams,
                        handlers,
                        initializer,
                        questions,
                        subscriptions,
                        resources,
                        logLevels,
                        disconnects);
        Scheduler hurried = answers.apply(clock);
        endpoint =
                new McpEndpoint(
                        new McpEndpoint.Parts(
                                handlers,
                                initializer,
                                configuration.mcpSessionAuthenticator(CIPHER, hurried),
                                configuration.mcpNotificationStreams(
                                        subscriptions, streams, features, disconnects, recorded),
                                subscriptions,
                                resources,
                                logLevels,
                                disconnects,
                                hurried,
                                questions,
                                (session, id, answer) ->
                                        questions.answered(session.id(), id, answer),
                                recorded),
                        new LegacySseEndpoint(legacySse));
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(port);
        disconnects.customize(factory);
        factory.addProtocolHandlerCustomizers(handler -> handler.setExecutor(threads));
        web =
                factory.getWebServer(
                        context -> context.addServlet("mcp", endpoint).addMapping("/mcp/*"));
        web.start();
    }

    /** What listens where another did, which was closed: orlojd after a restart. */
    static McpRig at(int port) {
        return new McpRig(port, Hurried::of, UnaryOperator.identity());
    }

    /** One where no answer becomes a stream for the time it takes: its code is that of its end. */
    public static McpRig withLongTimeout() {
        return new McpRig(0, Silent::new, UnaryOperator.identity());
    }

    /** One whose calls are suspended by the time of a test. */
    public static McpRig withInputClock(Scheduler clock) {
        return new McpRig(0, Hurried::of, _ -> clock);
    }

    /** Ten times as fast as others: an answer becomes a stream after a second. */
    private record Hurried(Scheduler time, Instant begin) implements Scheduler {

        static Scheduler of(Scheduler time) {
            return new Hurried(time, time.instant());
        }

        @Override
        public Instant instant() {
            return begin.plus(Duration.between(begin, time.instant()).multipliedBy(10));
        }

        @Override
        public Task schedule(Duration delay, Runnable task) {
            return time.schedule(delay, task);
        }
    }

    /** Has a time, and runs nothing. */
    private record Silent(Scheduler time) implements Scheduler {

        @Override
        public Instant instant() {
            return time.instant();
        }

        @Override
        public Task schedule(Duration delay, Runnable task) {
            return () -> {};
        }
    }

    int port() {
        return web.getPort();
    }

    private ToolCaller caller() {
        return new ToolCaller(
                catalog,
                new ServerExchange(catalog, sessions, OtherReplicas.NONE),
                new ResultLimiter(new KeptResults(clock)),
                call -> {},
                clock);
    }

    /** An agent at this endpoint that speaks a revision with sessions. */
    public Agent agent(String path, String revision) {
        return Agent.initialize(probe(path), revision);
    }

    public McpProbe probe(String path) {
        return new McpProbe(URI.create(url() + path));
    }

    RecordedStreams recorded() {
        return recorded;
    }

    /** The collaborators of HTTP+SSE, for connections without HTTP. */
    public LegacySseEndpoint.Parts legacySse() {
        return legacySse;
    }

    /** The servlet, for requests and responses of a test. */
    HttpServlet endpoint() {
        return endpoint;
    }

    LegacySseConnections connections() {
        return connections;
    }

    String url() {
        return "http://127.0.0.1:" + web.getPort();
    }

    public FakeTransports servers() {
        return servers;
    }

    public CountingCatalog catalog() {
        return catalog;
    }

    HeldInformers informers() {
        return informers;
    }

    public SessionManager sessions() {
        return sessions;
    }

    public Subscriptions subscriptions() {
        return subscriptions;
    }

    private static ObjectNode lost(
            RequestStates.State state, JsonNode responses, CallingClient agent)
            throws SuspendedCallLostException {
        throw new SuspendedCallLostException("the replica \"%s\" is away".formatted(state.owner()));
    }

    /** Calls that wait for answers of agents. */
    public SuspendedCalls suspended() {
        return suspended;
    }

    /** Withholds a tool of a server, which has a policy from now on. */
    void hold(ServerDefinition server, String tool, String reason) {
        catalog.putServer(Definitions.withToolPolicy(server));
        held.put(server.server(), Map.of(tool, reason));
    }

    /** What a stop of orlojd does first. */
    void stopStreams() {
        streams.stop();
    }

    public void putTool(ResourceKey server, String definition) {
        ObjectNode tree = (ObjectNode) FakeTransports.json(definition);
        String name = tree.path("name").asString();
        catalog.putTool(
                new ToolEntry(
                        new ResourceKey(server.namespace(), server.name() + "--" + name),
                        server + "--" + name,
                        server,
                        name,
                        server.name() + "__" + name,
                        tree.path("inputSchema"),
                        Optional.empty(),
                        OutputLimit.NONE,
                        tree,
                        ParameterHeaders.orNone(tree.path("inputSchema")),
                        Instant.EPOCH));
    }

    @Override
    public void close() {
        streams.stop();
        web.stop();
        web.destroy();
        threads.close();
        disconnects.close();
        sessions.close();
        informers.close();
        clock.close();
    }
}
