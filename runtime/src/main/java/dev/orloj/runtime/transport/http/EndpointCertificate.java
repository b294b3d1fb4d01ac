package dev.orloj.runtime.transport.http;

import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.jspecify.annotations.Nullable;

import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Predicate;

import javax.net.ssl.SSLSession;

/**
 * The certificate of the server behind an endpoint, and which certificates the endpoint may have
 * from now on. Thread-safe.
 */
final class EndpointCertificate {

    /** The attribute of a request with the {@code EndpointCertificate} of its endpoint. */
    static final String ATTRIBUTE = EndpointCertificate.class.getName();

    private volatile @Nullable SSLSession latest;
    private volatile @Nullable Predicate<X509Certificate> accepted;

    /** Returns the certificate of the latest answer; empty without TLS. */
    Optional<X509Certificate> latest() {
        return Optional.ofNullable(latest).flatMap(PeerCertificate::of);
    }

    void answered(HttpClientContext context) {
        latest = context.getSSLSession();
    }

    /** Sends no further request to a server with another certificate. */
    void require(Predicate<X509Certificate> newlyAccepted) {
        accepted = newlyAccepted;
    }

    /**
     * @throws CertificateRefusedException when a request must not be sent in this TLS session
     */
    void check(SSLSession session) throws CertificateRefusedException {
        Predicate<X509Certificate> required = accepted;
        if (required != null && PeerCertificate.of(session).filter(required.negate()).isPresent()) {
            throw new CertificateRefusedException();
        }
    }
}
