package dev.orloj.server.certificate;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A private key with its certificates. Prints no key.
 *
 * @param chain the certificate of the key first, then those of its issuers
 */
public record CertifiedKey(PrivateKey key, List<X509Certificate> chain) {

    public CertifiedKey {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("no certificate");
        }
    }

    public X509Certificate certificate() {
        return chain.getFirst();
    }

    public Instant notAfter() {
        return certificate().getNotAfter().toInstant();
    }

    /** Returns when two thirds of the validity are over: time enough to renew and to distribute. */
    Instant renewal() {
        Instant start = certificate().getNotBefore().toInstant();
        return start.plus(Duration.between(start, notAfter()).multipliedBy(2).dividedBy(3));
    }

    @Override
    public String toString() {
        return "Credential[" + certificate().getSubjectX500Principal() + "]";
    }
}
