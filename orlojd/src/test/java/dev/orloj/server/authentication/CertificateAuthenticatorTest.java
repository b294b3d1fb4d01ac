package dev.orloj.server.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.testing.ManualClock;
import dev.orloj.server.certificate.CertificateDirectory;
import dev.orloj.server.certificate.CertificateDirectory.Certificates;
import dev.orloj.server.certificate.ClientCertificates;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletRequest;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Set;

class CertificateAuthenticatorTest {

    private final ManualClock clock = new ManualClock();

    @TempDir private Path folder;

    /** Open requests end with the credential that this attaches to them. */
    @Test
    void certificateThatExpiresEndsTheRequestsInProgress() throws Exception {
        Certificates certificates =
                new CertificateDirectory(
                                folder, clock, new CertificateDirectory.Given(null, null, null))
                        .prepare(Set.of("localhost"), Set.of());
        CertificateAuthenticator authenticator =
                new CertificateAuthenticator(
                        new ClientCertificates(certificates.clientAuthorities(), clock), clock);
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setAttribute(
                "jakarta.servlet.request.X509Certificate",
                certificates.administrator().chain().toArray(X509Certificate[]::new));

        assertThat(authenticator.authenticate(request)).isPresent();
        Credential credential = Credential.of(request).orElseThrow();
        assertThat(credential.isValid()).isTrue();
        clock.advance(Duration.between(clock.instant(), credential.expiry().orElseThrow()));

        assertThat(credential.isValid()).isFalse();
        clock.advance(Duration.ofSeconds(1));
        assertThatThrownBy(() -> authenticator.authenticate(request))
                .isInstanceOf(InvalidCredentialException.class);
    }
}
