package dev.orloj.server.config;

import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.Scheme;
import dev.orloj.api.v1.Kinds;
import dev.orloj.controllers.replica.Replica;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.server.admission.Admission;
import dev.orloj.server.admission.ContainerRule;
import dev.orloj.server.admission.EndpointRule;
import dev.orloj.server.admission.MessageSizeRule;
import dev.orloj.server.admission.OwnAddressRule;
import dev.orloj.server.authorization.Authorizer;
import dev.orloj.server.authorization.ExecuteGuard;
import dev.orloj.server.authorization.GrantGuard;
import dev.orloj.server.calls.DurableCalls;
import dev.orloj.server.calls.RequestDigest;
import dev.orloj.server.properties.CallProperties;
import dev.orloj.server.properties.ContainerProperties;
import dev.orloj.server.properties.DatabaseProperties;
import dev.orloj.server.properties.EndpointProperties;
import dev.orloj.server.properties.PodProperties;
import dev.orloj.server.properties.SecretProperties;
import dev.orloj.server.registry.LocalResourceClient;
import dev.orloj.server.registry.ResourceRegistry;
import dev.orloj.server.registry.StoredPolicies;
import dev.orloj.server.security.Hmac;
import dev.orloj.server.store.PostgresStore;
import dev.orloj.server.store.ToolCallTable;
import dev.orloj.server.store.key.KeySource;
import dev.orloj.server.store.ledger.LedgerApprovals;
import dev.orloj.server.store.ledger.LedgerReading;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.store.table.StoreSettings;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

import javax.sql.DataSource;

/** Wires the store of resources, and the one way to it. */
@Configuration(proxyBeanMethods = false)
class StoreConfiguration {

    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }

    @Bean
    RandomGenerator random() {
        return new java.security.SecureRandom();
    }

    @Bean
    Scheme scheme() {
        return Kinds.SCHEME;
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    @DependsOnDatabaseInitialization
    PostgresStore postgresStore(
            DataSource pool, Database database, SecretCipher cipher, InstantSource clock) {
        return new PostgresStore(pool, database.direct(), cipher, StoreSettings.DEFAULTS, clock);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    @DependsOnDatabaseInitialization
    DurableCalls durableCalls(
            DataSource pool, SecretCipher cipher, Replica self, CallProperties properties) {
        return new DurableCalls(
                new ToolCallTable(pool, cipher),
                new RequestDigest(cipher.derive("orloj idempotency keys", Hmac.ALGORITHM)),
                self.id(),
                properties.kept());
    }

    @Bean
    LedgerApprovals ledgerApprovals(DataSource pool, InstantSource clock) {
        return new LedgerApprovals(pool, clock);
    }

    @Bean
    LedgerReading ledgerReading(DataSource pool) {
        return new LedgerReading(pool);
    }

    @Bean
    ContainerPolicy containerPolicy(
            ContainerProperties properties,
            PodProperties pods,
            DataDirectory dataDirectory,
            KeySource keys,
            SecretProperties secrets,
            DatabaseProperties database) {
        List<Path> secret = new ArrayList<>(keys.files());
        secret.add(dataDirectory.path());
        Path passwordFile = database.passwordFile();
        if (passwordFile != null) {
            secret.add(passwordFile);
        }
        secrets.folders().forEach(folder -> secret.add(folder.path()));
        return properties.toPolicy(secret, pods);
    }

    @Bean
    EndpointAddresses endpointAddresses(EndpointProperties properties) {
        return properties.toAddresses();
    }

    @Bean
    OwnAddressRule ownAddressRule(@Value("${server.address:0.0.0.0}") InetAddress bound) {
        return new OwnAddressRule(bound);
    }

    @Bean
    ApplicationListener<WebServerInitializedEvent> ownPort(OwnAddressRule rule) {
        return event -> rule.listenOn(event.getWebServer().getPort());
    }

    @Bean
    Admission admission(
            ContainerPolicy containers,
            EndpointAddresses endpoints,
            OwnAddressRule ownAddress,
            MessageLimits limits,
            PostgresStore store,
            ObjectProvider<Authorizer> authorizer) {
        MessageSizeRule messages = new MessageSizeRule(limits);
        GrantGuard grants = new GrantGuard(authorizer::getObject);
        ExecuteGuard programs = new ExecuteGuard(authorizer::getObject);
        return new Admission(
                List.of(
                        new ContainerRule(containers),
                        new EndpointRule(endpoints),
                        ownAddress,
                        messages),
                (user, kind, after, before) -> {
                    grants.check(user, kind, after, before);
                    programs.check(user, kind, after, before);
                },
                StoredPolicies.in(store, containers));
    }

    @Bean
    ResourceRegistry resourceRegistry(
            PostgresStore store,
            Admission admission,
            Scheme scheme,
            InstantSource clock,
            RandomGenerator random) {
        return new ResourceRegistry(store, admission, scheme, clock, random);
    }

    @Bean
    ResourceClient resourceClient(ResourceRegistry registry, Scheme scheme) {
        return new LocalResourceClient(registry, scheme);
    }
}
