package dev.orloj.cli.tls;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;

/**
 * Whom to trust, and who one is. The texts are PEM.
 *
 * @param authority trusted instead of the authorities of the system
 * @param certificate of this client, with its chain
 * @param key of the certificate
 * @param serverName the name in the certificate of the server; null for the host of the URL
 * @param isInsecure whether any certificate is accepted
 */
public record TlsSettings(
        @Nullable String authority,
        @Nullable String certificate,
        @Nullable String key,
        @Nullable String serverName,
        boolean isInsecure) {

    public static final TlsSettings DEFAULT = new TlsSettings(null, null, null, null, false);

    public TlsSettings {
        if (isInsecure && authority != null) {
            throw new IllegalArgumentException(
                    "insecure-skip-tls-verify and certificate-authority exclude each other");
        }
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException(
                    "client-certificate and client-key belong together: one is missing");
        }
    }

    /** Returns until when the certificate of this client is valid; empty without one. */
    public Optional<Instant> certificateEnd() {
        if (certificate == null) {
            return Optional.empty();
        }
        try {
            X509Certificate first =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509")
                                    .generateCertificate(
                                            new ByteArrayInputStream(
                                                    certificate.getBytes(
                                                            StandardCharsets.US_ASCII)));
            return Optional.of(first.getNotAfter().toInstant());
        } catch (CertificateException e) {
            throw new IllegalArgumentException(
                    "client-certificate is no certificate: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "TlsSettings[...]"; // has a key in it
    }
}
