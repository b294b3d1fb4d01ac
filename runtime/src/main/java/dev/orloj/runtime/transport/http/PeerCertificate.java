package dev.orloj.runtime.transport.http;

import java.security.cert.X509Certificate;
import java.util.Optional;

import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** The certificate that the server of a TLS session has shown. */
final class PeerCertificate {

    private PeerCertificate() {}

    static Optional<X509Certificate> of(SSLSession session) {
        try {
            return session.getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? Optional.of(certificate)
                    : Optional.empty();
        } catch (SSLPeerUnverifiedException e) {
            return Optional.empty();
        }
    }
}
