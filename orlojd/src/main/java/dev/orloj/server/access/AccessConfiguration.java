package dev.orloj.server.access;

import dev.orloj.api.client.ResourceClient;
import dev.orloj.server.authentication.AdminToken;
import dev.orloj.server.authentication.AuthenticationFilter;
import dev.orloj.server.authentication.CertificateAuthenticator;
import dev.orloj.server.authorization.AggregatedRules;
import dev.orloj.server.authorization.RbacAuthorizer;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.certificate.CertificateDirectory;
import dev.orloj.server.certificate.CertificateDirectory.Certificates;
import dev.orloj.server.certificate.ClientCertificates;
import dev.orloj.server.config.DataDirectory;
import dev.orloj.server.properties.HttpsProperties;
import dev.orloj.server.properties.InvalidConfigurationException;
import dev.orloj.server.tls.HttpsPort;
import dev.orloj.server.tls.ServerNames;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Wires the HTTPS port. */
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
            ResourceClient client, RbacAuthorizer authorizer, AggregatedRules aggregated) {
        return new AccessLifecycle(client, authorizer, aggregated);
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
    ServerNames serverNames(HttpsProperties properties) {
        return ServerNames.ofThisMachine(properties.san());
    }

    @Bean
    Certificates certificates(CertificateDirectory directory, ServerNames names)
            throws GeneralSecurityException {
        try {
            return directory.prepare(names.names(), names.addresses());
        } catch (IOException e) {
            throw new InvalidConfigurationException(
                    "the certificates of the HTTPS port: " + e.getMessage(), e);
        }
    }

    @Bean
    HttpsServer httpsServer(
            HttpsProperties properties,
            CertificateDirectory directory,
            Certificates certificates,
            ServerNames names,
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
                properties, directory, certificates, port, data.path().resolve("kubeconfig"));
    }

    @Bean
    FilterRegistrationBean<AuthenticationFilter> authentication(
            Certificates certificates, InstantSource clock, DataDirectory data) throws IOException {
        UserInfo owner =
                new UserInfo(
                                CertificateDirectory.ADMINISTRATOR,
                                "",
                                List.of(CertificateDirectory.ADMINISTRATORS),
                                Map.of())
                        .authenticated();
        AuthenticationFilter filter =
                new AuthenticationFilter(
                        List.of(
                                new CertificateAuthenticator(
                                        new ClientCertificates(
                                                certificates.clientAuthorities(), clock)),
                                new AdminToken(
                                        AdminTokenFile.read(data.path().resolve("admin.token")),
                                        owner)));
        FilterRegistrationBean<AuthenticationFilter> registration =
                new FilterRegistrationBean<>(filter);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    @Bean
    FilterRegistrationBean<ImpersonationFilter> impersonation(RbacAuthorizer authorizer) {
        FilterRegistrationBean<ImpersonationFilter> registration =
                new FilterRegistrationBean<>(new ImpersonationFilter(authorizer));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
        return registration;
    }

    @Bean
    OpenRequests openRequests(RbacAuthorizer authorizer) {
        return new OpenRequests(authorizer);
    }

    @Bean
    FilterRegistrationBean<AuthorizationFilter> authorization(
            RbacAuthorizer authorizer, OpenRequests open) {
        FilterRegistrationBean<AuthorizationFilter> registration =
                new FilterRegistrationBean<>(
                        new AuthorizationFilter(authorizer, open, new KnownRights(authorizer)));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 2);
        return registration;
    }
}
