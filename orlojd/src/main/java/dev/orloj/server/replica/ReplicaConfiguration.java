package dev.orloj.server.replica;

import dev.orloj.controllers.ControlPlane;
import dev.orloj.controllers.mcpserver.SessionJournal;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.runtime.call.OtherReplicas;
import dev.orloj.runtime.call.ServerCaller;
import dev.orloj.runtime.clock.SystemScheduler;
import dev.orloj.runtime.observation.CallObservers;
import dev.orloj.runtime.session.SessionListener;
import dev.orloj.server.certificate.PeerTrust;
import dev.orloj.server.disconnect.ClientDisconnects;
import dev.orloj.server.leader.PostgresLeaderElector;
import dev.orloj.server.security.Hmac;
import dev.orloj.server.store.table.SecretCipher;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.List;

import javax.net.ssl.SSLContext;

/** Configures the communication between replicas. */
@Configuration(proxyBeanMethods = false)
class ReplicaConfiguration {

    @Bean
    ReplicaTokens replicaTokens(SecretCipher cipher, Replica self, InstantSource clock) {
        return new ReplicaTokens(
                cipher.derive("orloj requests of replicas", Hmac.ALGORITHM), self.id(), clock);
    }

    @Bean(destroyMethod = "close")
    Replicas replicas(
            ControlPlane controlPlane, ReplicaTokens tokens, ObjectProvider<PeerTrust> peers)
            throws GeneralSecurityException {
        PeerTrust trust = peers.getIfAvailable();
        return new Replicas(
                controlPlane.replicas()::find,
                tokens,
                trust == null ? SSLContext.getDefault() : trust.context());
    }

    @Bean
    OtherReplicas otherReplicas(Replicas replicas) {
        return new ForwardedCalls(replicas);
    }

    @Bean
    ReplicaService callService(ServerCaller caller, CallObservers observers) {
        return new CallService(caller, observers);
    }

    /** Made before the sessions that report to it, so it looks for what needs them later. */
    @Bean
    ListChanges listChanges(
            ObjectProvider<ControlPlane> controlPlane,
            ObjectProvider<Replicas> replicas,
            PostgresLeaderElector elector,
            SystemScheduler clock) {
        return new ListChanges(
                () -> controlPlane.getObject().replicas(),
                replicas::getObject,
                elector::isLeading,
                clock);
    }

    @Bean
    ReplicaService listChangeService(
            SessionJournal journal,
            PostgresLeaderElector elector,
            List<SessionListener> listeners) {
        return new ListChangeService(
                journal,
                elector::isLeading,
                listeners.stream().filter(each -> !(each instanceof ListChanges)).toList());
    }

    @Bean
    ServletRegistrationBean<ReplicaEndpoint> replicaEndpoint(
            List<ReplicaService> services, ReplicaTokens tokens, ClientDisconnects disconnects) {
        return new ServletRegistrationBean<>(
                new ReplicaEndpoint(services, tokens, disconnects), ReplicaEndpoint.PATH + "*");
    }
}
