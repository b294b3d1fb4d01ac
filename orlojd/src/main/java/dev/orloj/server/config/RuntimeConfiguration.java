package dev.orloj.server.config;

import dev.orloj.api.client.ResourceClient;
import dev.orloj.controllers.container.ContainerJournal;
import dev.orloj.controllers.mcpserver.SessionJournal;
import dev.orloj.controllers.pods.AdoptionEvents;
import dev.orloj.controllers.pods.ProcessLedger;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.sandbox.ServerEngine;
import dev.orloj.runtime.call.OtherReplicas;
import dev.orloj.runtime.call.ServerCaller;
import dev.orloj.runtime.call.ServerExchange;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.call.WithheldTools;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.cluster.ClusterClient;
import dev.orloj.runtime.code.CodeGate;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.gateway.InstallationId;
import dev.orloj.runtime.http.HttpToolClient;
import dev.orloj.runtime.limit.ProcessLimits;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.observation.CallIds;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.observation.CallObservers;
import dev.orloj.runtime.observation.RecentCalls;
import dev.orloj.runtime.pod.PodEngine;
import dev.orloj.runtime.pod.PodSettings;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.result.KeptResults;
import dev.orloj.runtime.result.ResultLimiter;
import dev.orloj.runtime.scale.WorkloadScaler;
import dev.orloj.runtime.session.SessionListener;
import dev.orloj.runtime.session.SessionListeners;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.transport.standard.PodLauncher;
import dev.orloj.runtime.transport.standard.StandardTransports;
import dev.orloj.runtime.workload.ProcessUsers;
import dev.orloj.runtime.workload.Supervisor;
import dev.orloj.runtime.workload.WorkloadException;
import dev.orloj.server.code.PolicyCodeGate;
import dev.orloj.server.metrics.CallLog;
import dev.orloj.server.metrics.CallMetrics;
import dev.orloj.server.metrics.MeterSweep;
import dev.orloj.server.metrics.SessionMetrics;
import dev.orloj.server.options.ServerVersion;
import dev.orloj.server.properties.ContainerProperties;
import dev.orloj.server.properties.InvalidConfigurationException;
import dev.orloj.server.properties.MessageProperties;
import dev.orloj.server.properties.PodProperties;
import dev.orloj.server.properties.ProcessProperties;
import dev.orloj.server.properties.ShutdownProperties;
import dev.orloj.server.security.Hmac;
import dev.orloj.server.store.ledger.LedgerApprovals;
import dev.orloj.server.store.table.SecretCipher;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Wires the data plane: sessions with MCP servers, the catalogue of their tools, and calls. */
@Configuration(proxyBeanMethods = false)
class RuntimeConfiguration {

    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(30);
    private static final int TRACED_CALLS = 1_000;

    @Bean(destroyMethod = "close")
    SystemScheduler systemScheduler() {
        return new SystemScheduler();
    }

    @Bean(destroyMethod = "close")
    Supervisor supervisor(Replica replica, ProcessUsers users) throws InterruptedException {
        Supervisor supervisor = new Supervisor(replica.id());
        supervisor.sweep();
        try {
            supervisor.prepare(users);
        } catch (WorkloadException e) {
            supervisor.close();
            throw unusable(e);
        }
        return supervisor;
    }

    @Bean
    ProcessUsers processUsers(ProcessProperties properties) throws InterruptedException {
        try {
            return ProcessUsers.of(properties.user());
        } catch (WorkloadException e) {
            throw unusable(e);
        }
    }

    private static InvalidConfigurationException unusable(WorkloadException cause) {
        return new InvalidConfigurationException("--process-user: " + cause.getMessage(), cause);
    }

    @Bean(destroyMethod = "close")
    ContainerEngine containerEngine(
            ContainerProperties properties, Replica replica, ContainerJournal journal) {
        ContainerEngine engine =
                new ContainerEngine(new EngineSettings(properties.host(), replica.id()), journal);
        engine.sweep();
        return engine;
    }

    /** Absent if no server and no Sandbox runs in a Pod. */
    @Bean(destroyMethod = "close")
    @Nullable PodEngine podEngine(
            ContainerPolicy policy,
            PodProperties properties,
            Replica replica,
            SecretCipher cipher,
            ContainerJournal journal,
            ContainerEngine containers) {
        if (policy.engine() != ServerEngine.POD) {
            return null;
        }
        PodEngine engine = new PodEngine(podSettings(properties, replica, cipher), journal);
        containers.shared().startPodsWith(engine::startShared);
        engine.begin();
        return engine;
    }

    /** Absent if orlojd uses no cluster. */
    @Bean(destroyMethod = "close")
    @Nullable WorkloadScaler workloadScaler(
            ContainerPolicy policy,
            PodProperties properties,
            Replica replica,
            SecretCipher cipher,
            SystemScheduler clock) {
        if (policy.engine() != ServerEngine.POD) {
            return null;
        }
        PodSettings settings = podSettings(properties, replica, cipher);
        return WorkloadScaler.of(
                new ClusterClient(settings.server(), settings.serviceAccount()),
                settings.namespace(),
                settings.owner(),
                settings.replica(),
                clock);
    }

    private static PodSettings podSettings(
            PodProperties properties, Replica replica, SecretCipher cipher) {
        return properties.toSettings(
                replica.id(), () -> cipher.derive("orloj adopted pods", Hmac.ALGORITHM));
    }

    @Bean(destroyMethod = "close")
    StandardTransports transports(
            Supervisor supervisor,
            ContainerEngine containers,
            Optional<PodEngine> pods,
            Optional<WorkloadScaler> scaler,
            EndpointAddresses endpoints,
            MessageLimits limits,
            InstallationId gateway) {
        PodLauncher launcher =
                pods.<PodLauncher>map(engine -> engine::start).orElse(PodLauncher.NONE);
        return new StandardTransports(
                supervisor, containers, launcher, scaler, endpoints, limits, gateway::find);
    }

    @Bean(destroyMethod = "close")
    HttpToolClient httpToolClient(
            EndpointAddresses endpoints, MessageLimits limits, InstallationId gateway) {
        return new HttpToolClient(endpoints, limits, gateway::find);
    }

    /** One budget for all that is read. */
    @Bean
    MessageLimits messageLimits(MessageProperties messages) {
        return messages.limits(Runtime.getRuntime().maxMemory());
    }

    @Bean
    InstallationId installationId(ResourceClient client) {
        return new InstallationId(client);
    }

    @Bean
    ContainerJournal containerJournal() {
        return new ContainerJournal();
    }

    @Bean
    SessionJournal sessionJournal(InstantSource clock) {
        return new SessionJournal(clock);
    }

    @Bean
    Replica replica(DataDirectory dataDirectory, RandomGenerator random) throws IOException {
        return ReplicaIdentity.load(dataDirectory.path(), random);
    }

    @Bean
    ProcessLedger processLedger(InstantSource clock, Replica replica) {
        return new ProcessLedger(clock, replica);
    }

    @Bean
    AdoptionEvents adoptionEvents(ResourceClient client, InstantSource clock) {
        return new AdoptionEvents(client, clock);
    }

    @Bean
    SessionMetrics sessionMetrics(MeterRegistry registry, InstantSource clock) {
        return new SessionMetrics(registry, clock);
    }

    @Bean(destroyMethod = "close")
    SessionManager sessionManager(
            StandardTransports transports,
            List<SessionListener> listeners,
            SessionMetrics metrics,
            SystemScheduler clock,
            RandomGenerator random,
            CodeGate gate,
            ShutdownProperties shutdown,
            ProcessProperties processLimits) {
        SessionManager sessions =
                new SessionManager(
                        transports,
                        new SessionListeners(listeners),
                        clock,
                        random,
                        new SessionSettings(
                                ServerVersion.CURRENT.number(),
                                DRAIN_TIMEOUT,
                                shutdown.callGrace(),
                                new ProcessLimits(
                                        processLimits.max(), processLimits.maxMemory().bytes())),
                        gate);
        metrics.observe(sessions);
        return sessions;
    }

    @Bean
    CodeGate codeGate(LedgerApprovals approvals, ResourceClient client, InstantSource clock) {
        return new PolicyCodeGate(approvals, client, clock);
    }

    @Bean
    ToolCatalog toolCatalog() {
        return new ToolCatalog();
    }

    @Bean
    KeptResults keptResults(InstantSource clock) {
        return new KeptResults(clock);
    }

    @Bean
    ServerExchange serverExchange(
            ToolCatalog catalog, SessionManager sessions, OtherReplicas replicas) {
        return new ServerExchange(catalog, sessions, replicas);
    }

    @Bean
    ServerCaller serverCaller(
            ToolCatalog catalog,
            ServerExchange exchange,
            CallObservers observers,
            LedgerApprovals approvals) {
        return new ServerCaller(catalog, exchange, observers, approvals);
    }

    @Bean
    CallIds callIds(Replica replica, InstantSource clock) {
        return new CallIds(replica.id(), clock.instant());
    }

    @Bean
    RecentCalls recentCalls() {
        return new RecentCalls(TRACED_CALLS);
    }

    @Bean
    CallMetrics callMetrics(MeterRegistry registry) {
        return new CallMetrics(registry);
    }

    @Bean
    CallLog callLog() {
        return new CallLog();
    }

    /** All that observes calls: metrics, the log, {@code orlojctl trace}, and spans if exported. */
    @Bean
    CallObservers callObservers(List<CallObserver> observers) {
        return new CallObservers(observers);
    }

    @Bean(initMethod = "start")
    MeterSweep meterSweep(
            MeterRegistry registry,
            ToolCatalog catalog,
            SessionManager sessions,
            CallMetrics callMetrics,
            SystemScheduler clock) {
        return new MeterSweep(
                registry,
                server -> catalog.knows(server) || !sessions.sessions(server).isEmpty(),
                callMetrics,
                clock);
    }

    @Bean
    WithheldTools withheldTools(ToolCatalog catalog, LedgerApprovals approvals) {
        return new WithheldTools(catalog, approvals);
    }

    @Bean
    ToolCaller toolCaller(
            ToolCatalog catalog,
            ServerExchange exchange,
            HttpToolClient http,
            KeptResults results,
            CallObservers observers,
            InstantSource clock,
            WithheldTools withheld) {
        return new ToolCaller(
                catalog,
                exchange,
                Optional.of(http),
                new ResultLimiter(results),
                observers,
                clock,
                withheld);
    }
}
