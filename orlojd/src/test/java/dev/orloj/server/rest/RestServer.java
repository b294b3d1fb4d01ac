package dev.orloj.server.rest;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.Scheme;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.v1.Kinds;
import dev.orloj.controllers.CatalogFreshness;
import dev.orloj.controllers.login.LoginSecrets;
import dev.orloj.controllers.login.UserLogins;
import dev.orloj.controllers.mcpserver.definition.ServerDefaults;
import dev.orloj.controllers.review.ServerReviews;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.runtime.call.OtherReplicas;
import dev.orloj.runtime.call.ServerCaller;
import dev.orloj.runtime.call.ServerExchange;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.call.WithheldTools;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.oauth.AuthorizationCodeGrant;
import dev.orloj.runtime.observation.CallIds;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.observation.CallObservers;
import dev.orloj.runtime.observation.RecentCalls;
import dev.orloj.runtime.result.KeptResults;
import dev.orloj.runtime.result.ResultLimiter;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.ReconnectPolicy;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.session.definition.Timeouts;
import dev.orloj.runtime.testkit.CountingCatalog;
import dev.orloj.runtime.testkit.Engines;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.server.admission.Admission;
import dev.orloj.server.calls.DurableCalls;
import dev.orloj.server.calls.RequestDigest;
import dev.orloj.server.disconnect.ClientDisconnects;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.processing.Processing;
import dev.orloj.server.properties.ShutdownProperties;
import dev.orloj.server.registry.LocalResourceClient;
import dev.orloj.server.registry.PermanentNamespaces;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.rest.server.LocalReplica;
import dev.orloj.server.rest.system.Readiness;
import dev.orloj.server.security.SecuredPorts;
import dev.orloj.server.store.PostgresStore;
import dev.orloj.server.store.ToolCallTable;
import dev.orloj.server.store.key.KeyRotation;
import dev.orloj.server.store.key.KeySource;
import dev.orloj.server.store.key.SealedDocuments;
import dev.orloj.server.store.key.StoredKeys;
import dev.orloj.server.store.ledger.LedgerApprovals;
import dev.orloj.server.store.ledger.LedgerReading;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.store.table.StoreSettings;
import dev.orloj.server.store.token.UserTokenTable;
import dev.orloj.server.testing.HeldInformers;
import dev.orloj.server.token.UserTokens;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** The front door alone, on a port of its own, over a fresh database and a scripted MCP server. */
public final class RestServer implements AutoCloseable {

    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private final ServletWebServerApplicationContext context;

    /** One for all tests of a JVM that do not stop it. */
    private static final class Shared {

        static final RestServer INSTANCE = start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(INSTANCE::close));
        }
    }

    private RestServer(ServletWebServerApplicationContext context) {
        this.context = context;
    }

    public static RestServer shared() {
        return Shared.INSTANCE;
    }

    public static RestServer start() {
        return start(0);
    }

    private static RestServer start(int port) {
        return new RestServer(
                (ServletWebServerApplicationContext)
                        new SpringApplicationBuilder(Application.class)
                                .registerShutdownHook(false)
                                .run(
                                        "--server.port=" + port,
                                        "--server.address=127.0.0.1",
                                        "--spring.threads.virtual.enabled=true",
                                        "--spring.main.banner-mode=off",
                                        "--logging.level.root=warn"));
    }

    public int port() {
        return Objects.requireNonNull(context.getWebServer()).getPort();
    }

    /** Reads and changes the tables, as a user of the database can. */
    JdbcClient jdbc() {
        return context.getBean(TestPostgres.Database.class).jdbc();
    }

    public HttpProbe probe() {
        return new HttpProbe(port());
    }

    /** The name of a new namespace. */
    public String freshNamespace() {
        String name = "ns-" + NAMESPACES.incrementAndGet();
        client().create(Namespace.KIND, Namespace.of(name));
        return name;
    }

    public ScriptedTransports mcp() {
        return context.getBean(ScriptedTransports.class);
    }

    public ResourceClient client() {
        return context.getBean(ResourceClient.class);
    }

    public LedgerApprovals approvals() {
        return context.getBean(LedgerApprovals.class);
    }

    HeldWork heldWork() {
        return context.getBean(HeldWork.class);
    }

    Processing processing() {
        return context.getBean(Processing.class);
    }

    PostgresStore store() {
        return context.getBean(PostgresStore.class);
    }

    public CountingCatalog catalog() {
        return context.getBean(CountingCatalog.class);
    }

    /** Sets what happens when a tool is called that the catalog lacks, or whose server it lacks. */
    public void onUnknownTool(Runnable action) {
        context.getBean(HeldInformers.class).onRead(action);
    }

    public SessionManager sessions() {
        return context.getBean(SessionManager.class);
    }

    /** A server with the scripted answers, which five seconds are enough for. */
    public static ServerDefinition scripted(ResourceKey key) {
        return new ServerDefinition(
                key,
                new SessionKey("uid-" + key, 1, ""),
                new ServerAddress.Stdio(List.of("scripted"), Map.of(), Duration.ofSeconds(1)),
                new ReconnectPolicy(1, Duration.ZERO),
                new Timeouts(
                        Duration.ZERO,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        Duration.ZERO));
    }

    /** Puts a tool of a server into the catalog. */
    public void offer(ResourceKey owner, String tool, JsonNode inputSchema) {
        ResourceKey key = new ResourceKey(owner.namespace(), owner.name() + "--" + tool);
        catalog()
                .putTool(
                        new ToolEntry(
                                key,
                                "uid-" + key,
                                owner,
                                tool,
                                owner.name() + "__" + tool,
                                inputSchema,
                                Optional.empty()));
    }

    @Override
    public void close() {
        context.close();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
    @ComponentScan(basePackages = {"dev.orloj.server.rest", "dev.orloj.server.yaml"})
    @Import({ClientDisconnects.class, Processing.class})
    static class Application {

        @Bean
        ShutdownProperties shutdownProperties() {
            return new ShutdownProperties(Duration.ZERO, Duration.ZERO);
        }

        @Bean
        SecuredPorts securedPorts() {
            return new SecuredPorts(false);
        }

        @Bean
        ContainerEngine containerEngine() {
            return Engines.unused();
        }

        @Bean
        TestPostgres.Database database() {
            return TestPostgres.freshDatabase();
        }

        @Bean
        StoredKeys storedKeys(TestPostgres.Database database) throws IOException {
            return StoredKeys.open(
                    database.pool(),
                    KeySource.of(
                            "", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "", Path.of("")));
        }

        @Bean
        SecretCipher cipher(StoredKeys keys) {
            return new SecretCipher(keys);
        }

        @Bean(initMethod = "start", destroyMethod = "close")
        KeyRotation keyRotation(
                TestPostgres.Database database, StoredKeys keys, SecretCipher cipher) {
            return new KeyRotation(
                    database.pool(),
                    keys,
                    List.of(new SealedDocuments(database.pool(), cipher, Kinds.SCHEME)));
        }

        @Bean(initMethod = "start")
        PostgresStore store(TestPostgres.Database database, SecretCipher cipher) {
            return new PostgresStore(
                    database.pool(),
                    database.direct(),
                    cipher,
                    StoreSettings.DEFAULTS,
                    InstantSource.system());
        }

        @Bean
        LedgerReading ledgerReading(TestPostgres.Database database) {
            return new LedgerReading(database.pool());
        }

        @Bean
        LedgerApprovals ledgerApprovals(TestPostgres.Database database, InstantSource clock) {
            return new LedgerApprovals(database.pool(), clock);
        }

        @Bean
        UserTokens userTokens(TestPostgres.Database database, InstantSource clock) {
            return new UserTokens(new UserTokenTable(database.pool()), clock);
        }

        @Bean
        HeldWork heldWork() {
            return new HeldWork();
        }

        @Bean
        Admission admission(HeldWork held) {
            return new Admission(List.of(held));
        }

        @Bean
        ServerReviews reviews(ResourceClient client, SessionManager sessions, InstantSource clock) {
            return ServerReviews.of(
                    new ClientResources(client),
                    new ServerDefaults(
                            Duration.ofSeconds(5), Duration.ofSeconds(1), ContainerPolicy.DEFAULT),
                    sessions,
                    image -> false,
                    () -> true,
                    clock);
        }

        @Bean(destroyMethod = "close")
        AuthorizationCodeGrant authorizationCodeGrant(InstantSource clock) {
            return new AuthorizationCodeGrant(EndpointAddresses.DEFAULT, clock);
        }

        /** Users cannot log in at any server. */
        @Bean
        UserLogins logins(
                ResourceClient client, AuthorizationCodeGrant grant, InstantSource clock) {
            return new UserLogins(
                    new LoginSecrets(client),
                    grant,
                    server -> {
                        throw ApiException.badRequest("no logins here");
                    },
                    clock);
        }

        @Bean
        ResourceRegistry registry(PostgresStore store, Admission admission) {
            return new ResourceRegistry(
                    store, admission, Kinds.SCHEME, InstantSource.system(), new Random(7));
        }

        @Bean
        ResourceClient client(ResourceRegistry registry) {
            ResourceClient client = new LocalResourceClient(registry, Kinds.SCHEME);
            PermanentNamespaces.ensure(client);
            return client;
        }

        @Bean
        Scheme scheme() {
            return Kinds.SCHEME;
        }

        @Bean
        InstantSource clock() {
            return InstantSource.system();
        }

        @Bean
        RandomGenerator random() {
            return new Random(7);
        }

        @Bean
        Readiness readiness() {
            return List::of;
        }

        @Bean
        LocalReplica replica() {
            return () -> "here";
        }

        @Bean
        ScriptedTransports transports() {
            return new ScriptedTransports();
        }

        @Bean
        SessionManager sessions(ScriptedTransports transports) {
            return transports.sessionManager();
        }

        @Bean
        CountingCatalog catalog() {
            return new CountingCatalog();
        }

        @Bean
        KeptResults keptResults(InstantSource clock) {
            return new KeptResults(clock);
        }

        @Bean
        ServerCaller serverCaller(
                ToolCatalog catalog, SessionManager sessions, CallObservers observers) {
            return new ServerCaller(
                    catalog, new ServerExchange(catalog, sessions, OtherReplicas.NONE), observers);
        }

        @Bean
        CallIds callIds() {
            return new CallIds("here", Instant.EPOCH);
        }

        @Bean(initMethod = "start", destroyMethod = "close")
        DurableCalls durableCalls(TestPostgres.Database database, SecretCipher cipher) {
            return new DurableCalls(
                    new ToolCallTable(database.pool(), cipher),
                    new RequestDigest(cipher.derive("test", "HmacSHA256")),
                    "here",
                    Duration.ofHours(1));
        }

        @Bean
        RecentCalls recentCalls() {
            return new RecentCalls(100);
        }

        @Bean
        CallObservers callObservers(List<CallObserver> observers) {
            return new CallObservers(observers);
        }

        @Bean
        HeldInformers informers() {
            return new HeldInformers(tool -> {}, server -> {}, Set.of());
        }

        @Bean
        CatalogFreshness freshness(HeldInformers informers) {
            return informers.freshness();
        }

        @Bean
        ToolCaller caller(
                ToolCatalog catalog,
                SessionManager sessions,
                KeptResults results,
                CallObservers observers,
                InstantSource clock,
                LedgerApprovals approvals) {
            return new ToolCaller(
                    catalog,
                    new ServerExchange(catalog, sessions, OtherReplicas.NONE),
                    Optional.empty(),
                    new ResultLimiter(results),
                    observers,
                    clock,
                    new WithheldTools(catalog, approvals));
        }
    }

    /** By hand: {@code RestServer PORT} serves until it is killed. */
    public static void main(String[] arguments) {
        RestServer server = start(Integer.parseInt(arguments[0]));
        System.out.println("listening on " + server.port());
    }
}
