package dev.orloj.server.mcp;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.runtime.call.OtherReplicas;
import dev.orloj.runtime.call.ServerCaller;
import dev.orloj.runtime.call.ServerExchange;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.gateway.InstallationId;
import dev.orloj.runtime.result.KeptResults;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.result.ResultLimiter;
import dev.orloj.runtime.session.AlarmClock;
import dev.orloj.runtime.session.ServerDefinition;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.SessionSettings;
import dev.orloj.runtime.session.SystemAlarmClock;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.trace.CallIds;
import dev.orloj.runtime.transport.ParameterHeaders;
import dev.orloj.server.config.McpProperties;
import dev.orloj.server.hangup.HangUps;
import dev.orloj.server.rest.OpenStreams;
import dev.orloj.server.store.SecretCipher;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The MCP endpoints alone, on a port of their own, before one scripted server. */
final class McpRig implements AutoCloseable {

    static final ServerDefinition SERVER = Definitions.server("github");

    /** The tool that is there from the beginning. */
    static final String ECHO =
            """
            {"name":"echo","description":"Says it again","inputSchema":{"type":"object"}}\
            """;

    static final String REPLICA = "here";

    /** Of these at least one has no tools. */
    private static final Set<String> NAMESPACES = Set.of("default", "empty", "other");

    private static final SecretCipher CIPHER =
            SecretCipher.fromBase64("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");

    /** What this replica gives out, and all others of its kind accept. */
    static final RequestStates STATES = new McpConfiguration().mcpRequestStates(CIPHER);

    private static final Logger TOMCAT = Logger.getLogger("org.apache");

    static {
        TOMCAT.setLevel(Level.SEVERE);
    }

    private final SystemAlarmClock clock = new SystemAlarmClock();
    private final FakeTransports servers = new FakeTransports();
    private final ToolCatalog catalog = new ToolCatalog();
    private final FeatureCache cache = new FeatureCache();
    private final Subscriptions subscriptions = new Subscriptions(clock);
    private final ResourceSubscriptions resources = new ResourceSubscriptions(clock, subscriptions);
    private final SessionLogLevels logLevels = new SessionLogLevels();
    private final UrlElicitations elicitations = new UrlElicitations();
    private final SessionManager sessions =
            new SessionManager(
                    servers,
                    new ServerNotices(cache, subscriptions, resources, elicitations, logLevels),
                    clock,
                    new Random(1),
                    SessionSettings.withVersion("test"));
    private final SseConnections connections =
            new SseConnections(
                    "here",
                    (replica, kind, request) -> {
                        throw new IllegalStateException("There is no " + replica);
                    });
    private final OpenStreams streams = new OpenStreams(new SimpleMeterRegistry());
    private final HangUps hangUps = new HangUps();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ParkedCalls parked;
    private final WebServer web;

    McpRig() {
        this(Duration.ofMinutes(1));
    }

    /**
     * @param inputTimeout how long agents may take to answer what servers ask
     */
    McpRig(Duration inputTimeout) {
        this(inputTimeout, 0, Hurried::of);
    }

    /**
     * @param answers the clock by which an answer that takes its time becomes a stream
     */
    private McpRig(Duration inputTimeout, int port, UnaryOperator<AlarmClock> answers) {
        McpConfiguration configuration = new McpConfiguration();
        parked = new ParkedCalls(STATES, REPLICA, inputTimeout, clock);
        ClientQuestions questions = new ClientQuestions(REPLICA, inputTimeout, elicitations);
        catalog.addListener(subscriptions);
        catalog.putServer(SERVER);
        putTool(SERVER.server(), ECHO);
        SseExposure sse = new SseExposure(false, catalog);
        Introductions introductions =
                new Introductions(catalog, NAMESPACES::contains, "test", clock, sse);
        FeatureMethods features =
                configuration.mcpFeatureMethods(
                        catalog,
                        new ServerCaller(
                                catalog, new ServerExchange(catalog, sessions, OtherReplicas.NONE)),
                        cache,
                        resources,
                        logLevels,
                        new Outcomes(elicitations));
        McpEndpoint endpoint =
                configuration
                        .mcpEndpoint(
                                configuration.mcpAgentMethods(
                                        introductions,
                                        catalog,
                                        caller(),
                                        new CallIds("here", Instant.EPOCH),
                                        features,
                                        new Outcomes(elicitations),
                                        new RoundsOfOlderServers(
                                                catalog, parked, STATES, McpRig::lost, clock),
                                        new InstallationId(
                                                new MemoryResourceClient(InstantSource.system())),
                                        Optional.empty()),
                                introductions,
                                features,
                                subscriptions,
                                resources,
                                logLevels,
                                streams,
                                hangUps,
                                CIPHER,
                                new McpProperties(
                                        Set.of("https://agents.example.com"), inputTimeout, false),
                                answers.apply(clock),
                                questions,
                                (session, id, answer) ->
                                        questions.answered(session.id(), id, answer),
                                sse,
                                connections)
                        .getServlet();
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(port);
        hangUps.customize(factory);
        factory.addProtocolHandlerCustomizers(handler -> handler.setExecutor(threads));
        web =
                factory.getWebServer(
                        context -> context.addServlet("mcp", endpoint).addMapping("/mcp/*"));
        web.start();
    }

    /** What listens where another did, which was closed: orlojd after a restart. */
    static McpRig at(int port) {
        return new McpRig(Duration.ofMinutes(1), port, Hurried::of);
    }

    /** One where no answer becomes a stream for the time it takes: its code is that of its end. */
    static McpRig patient() {
        return new McpRig(Duration.ofMinutes(1), 0, Silent::new);
    }

    /** Ten times as fast as others: an answer becomes a stream after a second. */
    private record Hurried(AlarmClock time, Instant begin) implements AlarmClock {

        static AlarmClock of(AlarmClock time) {
            return new Hurried(time, time.instant());
        }

        @Override
        public Instant instant() {
            return begin.plus(Duration.between(begin, time.instant()).multipliedBy(10));
        }

        @Override
        public Alarm ring(Duration delay, Runnable task) {
            return time.ring(delay, task);
        }
    }

    /** Tells the time, and never rings. */
    private record Silent(AlarmClock time) implements AlarmClock {

        @Override
        public Instant instant() {
            return time.instant();
        }

        @Override
        public Alarm ring(Duration delay, Runnable task) {
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
    Agent agent(String path, String revision) {
        return Agent.initialize(probe(path), revision);
    }

    McpProbe probe(String path) {
        return new McpProbe(URI.create(url() + path));
    }

    SseConnections connections() {
        return connections;
    }

    String url() {
        return "http://127.0.0.1:" + web.getPort();
    }

    FakeTransports servers() {
        return servers;
    }

    ToolCatalog catalog() {
        return catalog;
    }

    SessionManager sessions() {
        return sessions;
    }

    Subscriptions subscriptions() {
        return subscriptions;
    }

    private static ObjectNode lost(
            RequestStates.State state, JsonNode responses, CallingAgent agent)
            throws ParkedCallLostException {
        throw new ParkedCallLostException("the replica \"%s\" is away".formatted(state.owner()));
    }

    /** Calls that wait for answers of agents. */
    ParkedCalls parked() {
        return parked;
    }

    /** What a stop of orlojd does first. */
    void stopStreams() {
        streams.stop();
    }

    void putTool(ResourceKey server, String definition) {
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
                        ParameterHeaders.orNone(tree.path("inputSchema"))));
    }

    @Override
    public void close() {
        streams.stop();
        web.stop();
        web.destroy();
        threads.close();
        hangUps.close();
        sessions.close();
        clock.close();
    }
}
