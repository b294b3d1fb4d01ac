package dev.orloj.server.certificate;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Verifies the certificates of clients against the authorities that may issue them. The TLS
 * handshake requests a certificate and accepts any, so that an unknown or expired one gets 401 and
 * no broken connection.
 */
public final class ClientCertificates {

    private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

    private volatile Set<TrustAnchor> anchors;
    private final InstantSource clock;

    public ClientCertificates(List<X509Certificate> authorities, InstantSource clock) {
        this.anchors = anchors(authorities);
        this.clock = clock;
    }

    private static Set<TrustAnchor> anchors(List<X509Certificate> authorities) {
        return authorities.stream()
                .map(authority -> new TrustAnchor(authority, null))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Verifies against other authorities from now on. */
    public void replace(List<X509Certificate> authorities) {
        anchors = anchors(authorities);
    }

    /**
     * @param chain the certificate of the client first
     * @throws GeneralSecurityException when it is not valid now, was issued by another authority,
     *     or is not for clients
     */
    public void verify(List<X509Certificate> chain) throws GeneralSecurityException {
        Set<TrustAnchor> current = anchors;
        PKIXParameters parameters = new PKIXParameters(current);
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(clock.instant()));
        List<X509Certificate> path =
                chain.stream()
                        .filter(
                                certificate ->
                                        current.stream()
                                                .noneMatch(
                                                        anchor ->
                                                                certificate.equals(
                                                                        anchor.getTrustedCert())))
                        .toList();
        if (path.isEmpty()) {
            throw new GeneralSecurityException("the certificate is that of an authority");
        }
        CertPathValidator.getInstance("PKIX")
                .validate(
                        CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
        List<String> purposes = path.getFirst().getExtendedKeyUsage();
        if (purposes == null || !purposes.contains(CLIENT_AUTH)) {
            throw new GeneralSecurityException(
                    "the certificate is not for clients (extended key usage clientAuth)");
        }
    }
}
