package dev.orloj.server.access;

import dev.orloj.api.client.ResourceClient;
import dev.orloj.server.access.limits.CallerLimiter;
import dev.orloj.server.authentication.AdminToken;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.authentication.Authenticator;
import dev.orloj.server.authentication.CertificateAuthenticator;
import dev.orloj.server.authorization.AggregatedRules;
import dev.orloj.server.authorization.RbacAuthorizer;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.certificate.CertificateDirectory;
import dev.orloj.server.certificate.CertificateDirectory.Certificates;
import dev.orloj.server.certificate.ClientCertificates;
import dev.orloj.server.certificate.PeerTrust;
import dev.orloj.server.config.DataDirectory;
import dev.orloj.server.metrics.IssuerMetrics;
import dev.orloj.server.oidc.Issuers;
import dev.orloj.server.oidc.JwtAuthenticator;
import dev.orloj.server.oidc.Timing;
import dev.orloj.server.properties.AuthenticationProperties;
import dev.orloj.server.properties.CallerLimitProperties;
import dev.orloj.server.properties.HttpsProperties;
import dev.orloj.server.properties.InvalidConfigurationException;
import dev.orloj.server.protectedresource.MetadataEndpoint;
import dev.orloj.server.protectedresource.ProtectedResources;
import dev.orloj.server.protectedresource.ScopeGuard;
import dev.orloj.server.security.SecuredPorts;
import dev.orloj.server.tls.CertificateNames;
import dev.orloj.server.tls.HttpsPort;
import dev.orloj.server.token.DefaultAccounts;
import dev.orloj.server.token.ServiceAccounts;
import dev.orloj.server.token.TokenAuthenticator;
import dev.orloj.server.token.TokenServices;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Wires the HTTPS port, and who may use the ports. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("orloj.https.port")
class AccessConfiguration {

    @Bean
    RbacAuthorizer authorizer(ResourceClient client) {
        return new RbacAuthorizer(client);
    }

    @Bean
    AggregatedRules aggregatedRules(ResourceClient client, RbacAuthorizer authorizer) {
        return new AggregatedRules(client, authorizer);
    }

    @Bean
    AccessLifecycle accessLifecycle(
            ResourceClient client,
            RbacAuthorizer authorizer,
            AggregatedRules aggregated,
            ServiceAccounts accounts,
            DefaultAccounts defaults) {
        return new AccessLifecycle(client, authorizer, aggregated, accounts, defaults);
    }

    @Bean
    CertificateDirectory certificateDirectory(
            HttpsProperties properties, DataDirectory data, InstantSource clock) {
        return new CertificateDirectory(
                data.path().resolve("tls"),
                clock,
                new CertificateDirectory.Given(
                        properties.certificateFile(),
                        properties.privateKeyFile(),
                        properties.clientCaFile()));
    }

    @Bean
    CertificateNames serverNames(HttpsProperties properties) {
        return CertificateNames.ofThisMachine(properties.san());
    }

    @Bean
    Certificates certificates(CertificateDirectory directory, CertificateNames names)
            throws GeneralSecurityException {
        try {
            return directory.prepare(names.names(), names.addresses());
        } catch (IOException e) {
            throw new InvalidConfigurationException(
                    "the certificates of the HTTPS port: " + e.getMessage(), e);
        }
    }

    @Bean
    ClientCertificates clientCertificates(Certificates certificates, InstantSource clock) {
        return new ClientCertificates(certificates.clientAuthorities(), clock);
    }

    @Bean
    PeerTrust peerTrust(Certificates certificates) throws GeneralSecurityException {
        return new PeerTrust(certificates.server().chain());
    }

    @Bean
    HttpsServer httpsServer(
            HttpsProperties properties,
            CertificateDirectory directory,
            Certificates certificates,
            CertificateNames names,
            ClientCertificates clients,
            PeerTrust peers,
            DataDirectory data)
            throws GeneralSecurityException {
        HttpsPort port =
                new HttpsPort(
                        properties.address(),
                        Objects.requireNonNull(properties.port()),
                        names,
                        certificates.server(),
                        certificates.clientAuthorities());
        return new HttpsServer(
                properties,
                directory,
                certificates,
                port,
                clients,
                peers,
                data.path().resolve("kubeconfig"));
    }

    @Bean
    Issuers issuers(
            AuthenticationProperties authentication, HttpsProperties https, InstantSource clock) {
        Issuers issuers =
                new Issuers(
                        authentication.configFile(),
                        new Timing(
                                authentication.retryPeriod(),
                                authentication.keysLifetime(),
                                authentication.keysInterval(),
                                authentication.keysOutage()),
                        clock);
        issuers.start(https.checkPeriod());
        return issuers;
    }

    @Bean
    IssuerMetrics issuerMetrics(Issuers issuers) {
        return new IssuerMetrics(issuers);
    }

    @Bean
    ProtectedResources protectedResources(
            ObjectProvider<HttpsServer> server,
            Issuers issuers,
            AuthenticationProperties authentication) {
        return new ProtectedResources(
                () -> server.getObject().url(), issuers::urls, authentication.requiredScopes());
    }

    @Bean
    MetadataEndpoint protectedResourceMetadata(ProtectedResources resources, SecuredPorts ports) {
        return new MetadataEndpoint(resources, ports);
    }

    @Bean
    AuthenticationGuard authentication(
            ClientCertificates clients,
            InstantSource clock,
            DataDirectory data,
            Issuers issuers,
            ProtectedResources resources,
            TokenServices tokens,
            SecuredPorts ports)
            throws IOException {
        UserInfo owner =
                new UserInfo(
                                CertificateDirectory.ADMINISTRATOR,
                                "",
                                List.of(CertificateDirectory.ADMINISTRATORS),
                                Map.of())
                        .authenticated();
        List<Authenticator> authenticators = new ArrayList<>();
        authenticators.add(new CertificateAuthenticator(clients, clock));
        authenticators.add(new TokenAuthenticator(tokens.tokens()));
        authenticators.add(new JwtAuthenticator(issuers, resources::resource, clock));
        authenticators.add(
                new AdminToken(AdminTokenFile.read(data.path().resolve("admin.token")), owner));
        return new AuthenticationGuard(authenticators, resources, ports);
    }

    @Bean
    OpenRequests openRequests(RbacAuthorizer authorizer) {
        return new OpenRequests(authorizer);
    }

    @Bean
    FilterRegistrationBean<AccessFilter> access(
            AuthenticationGuard authentication,
            CallerLimitProperties limits,
            MeterRegistry metrics,
            ProtectedResources resources,
            RbacAuthorizer authorizer,
            OpenRequests open) {
        FilterRegistrationBean<AccessFilter> registration =
                new FilterRegistrationBean<>(
                        new AccessFilter(
                                authentication,
                                new CallerLimiter(limits, metrics),
                                new ScopeGuard(resources),
                                new ImpersonationGuard(authorizer),
                                new AccessFilter.Authorization(
                                        authorizer, open, new KnownRights(authorizer))));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 3);
        return registration;
    }
}
