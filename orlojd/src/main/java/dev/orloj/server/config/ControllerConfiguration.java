package dev.orloj.server.config;

import dev.orloj.api.client.ResourceClient;
import dev.orloj.controllers.CatalogFreshness;
import dev.orloj.controllers.ControlPlane;
import dev.orloj.controllers.ControlSettings;
import dev.orloj.controllers.container.ContainerJournal;
import dev.orloj.controllers.login.UserLogins;
import dev.orloj.controllers.mcpserver.SessionJournal;
import dev.orloj.controllers.pods.ProcessLedger;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.controllers.review.ServerReviews;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.secret.EnvironmentSecrets;
import dev.orloj.controllers.secret.MountedSecrets;
import dev.orloj.controllers.secret.OperatorSecrets;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.oauth.AuthorizationCodeGrant;
import dev.orloj.runtime.pod.PodEngine;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.workload.ProcessUsers;
import dev.orloj.runtime.workload.Supervisor;
import dev.orloj.server.leader.PostgresLeaderElector;
import dev.orloj.server.metrics.ControlMetrics;
import dev.orloj.server.properties.ControllerProperties;
import dev.orloj.server.properties.ReplicaProperties;
import dev.orloj.server.properties.SecretProperties;
import dev.orloj.server.properties.ToolLimitProperties;
import dev.orloj.server.rest.http.ShutdownDelay;
import dev.orloj.server.rest.server.LocalReplica;
import dev.orloj.server.rest.system.Readiness;
import dev.orloj.server.store.PostgresStore;
import dev.orloj.server.store.ledger.LedgerApprovals;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Wires the controllers. */
@Configuration(proxyBeanMethods = false)
class ControllerConfiguration {

    @Bean(initMethod = "start", destroyMethod = "close")
    PostgresLeaderElector leaderElector(Database database) {
        return new PostgresLeaderElector(database.direct());
    }

    @Bean
    MountedSecrets mountedSecrets(SecretProperties properties) {
        MountedSecrets secrets = new MountedSecrets(properties.folders());
        secrets.start(properties.directoryInterval());
        return secrets;
    }

    @Bean
    ControlPlane controlPlane(
            ResourceClient client,
            LedgerApprovals approvals,
            SessionManager sessions,
            ContainerEngine engine,
            SessionJournal journal,
            ContainerJournal containers,
            ProcessLedger processes,
            ToolCatalog catalog,
            PostgresLeaderElector elector,
            AuthorizationCodeGrant grant,
            InstantSource clock,
            ControllerProperties properties,
            ToolLimitProperties toolLimits,
            ContainerPolicy policy,
            MountedSecrets mounted,
            ProcessUsers users) {
        return new ControlPlane(
                client,
                approvals,
                sessions,
                engine,
                journal,
                containers,
                processes,
                catalog,
                elector,
                grant,
                clock,
                settings(properties, toolLimits, policy, mounted, users));
    }

    @Bean
    ServerReviews serverReviews(ControlPlane controlPlane) {
        return controlPlane.reviews();
    }

    @Bean(destroyMethod = "close")
    AuthorizationCodeGrant authorizationCodeGrant(
            EndpointAddresses endpoints, InstantSource clock) {
        return new AuthorizationCodeGrant(endpoints, clock);
    }

    @Bean
    UserLogins userLogins(ControlPlane controlPlane) {
        return controlPlane.logins();
    }

    @Bean(initMethod = "start")
    ControlMetrics controlMetrics(
            MeterRegistry registry,
            ControlPlane controlPlane,
            PostgresLeaderElector elector,
            SystemScheduler clock) {
        return new ControlMetrics(registry, controlPlane, elector::isLeading, clock);
    }

    private static ControlSettings settings(
            ControllerProperties properties,
            ToolLimitProperties toolLimits,
            ContainerPolicy containers,
            MountedSecrets mounted,
            ProcessUsers users) {
        return new ControlSettings(
                properties.workers(),
                properties.resyncPeriod(),
                properties.startupTimeout(),
                properties.shutdownGrace(),
                properties.eventTtl(),
                containers,
                toolLimits.ceilings(),
                new OperatorSecrets(mounted, new EnvironmentSecrets(System.getenv())),
                users);
    }

    @Bean
    ControlLifecycle controlLifecycle(
            ControlPlane controlPlane,
            ResourceClient client,
            Replica replica,
            SessionManager sessions,
            Supervisor supervisor,
            ContainerEngine containers,
            Optional<PodEngine> pods,
            ReplicaProperties properties,
            WebServerApplicationContext web) {
        return new ControlLifecycle(
                controlPlane,
                client,
                replica,
                sessions,
                supervisor,
                containers,
                pods,
                () -> advertised(properties, web));
    }

    private static Optional<URI> advertised(
            ReplicaProperties properties, WebServerApplicationContext web) {
        return AdvertisedAddress.of(
                properties,
                web.getEnvironment().getProperty("server.address", "0.0.0.0"),
                Objects.requireNonNull(web.getWebServer()).getPort());
    }

    @Bean
    LocalReplica localReplica(Replica replica) {
        return replica::id;
    }

    @Bean
    CatalogFreshness catalogFreshness(ControlPlane controlPlane) {
        return controlPlane.catalogFreshness();
    }

    @Bean
    Readiness readiness(
            ControlPlane controlPlane,
            ControlLifecycle lifecycle,
            ShutdownDelay delay,
            PostgresStore store) {
        return () -> {
            if (delay.isStopping() || !lifecycle.isRunning()) {
                return List.of("orlojd stops, or has not begun");
            }
            return controlPlane.ready()
                    ? store.obstacles()
                    : List.of("the resources have not been read yet");
        };
    }
}
