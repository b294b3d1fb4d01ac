package dev.orloj.api.certificate;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The certificates that a server presents. The order of the issuers does not matter, and neither do
 * certificates that have nothing to do with the server. Nothing in it is trusted.
 *
 * @param certificates that of the server first
 */
public record CertificateChain(List<X509Certificate> certificates) {

    public CertificateChain {
        certificates = List.copyOf(certificates);
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("no certificate");
        }
    }

    /**
     * Returns the authority by which people recognize the server: the last of its issuers, or its
     * own certificate if that has issued itself. Empty when no issuer is there.
     */
    public Optional<X509Certificate> authority() {
        X509Certificate last = last();
        return isAuthority(last) ? Optional.of(last) : Optional.empty();
    }

    /** Returns the last certificate of the path that starts with that of the server. */
    public X509Certificate last() {
        X509Certificate last = certificates.getFirst();
        Set<X509Certificate> seen = new HashSet<>(Set.of(last));
        Optional<X509Certificate> next = issuer(last, seen);
        while (next.isPresent()) {
            last = next.get();
            seen.add(last);
            next = issuer(last, seen);
        }
        return last;
    }

    private Optional<X509Certificate> issuer(
            X509Certificate certificate, Set<X509Certificate> seen) {
        return certificates.stream()
                .filter(c -> !seen.contains(c) && isAuthority(c) && isIssuedBy(certificate, c))
                .findFirst();
    }

    private static boolean isAuthority(X509Certificate certificate) {
        return certificate.getBasicConstraints() >= 0 || isIssuedBy(certificate, certificate);
    }

    private static boolean isIssuedBy(X509Certificate certificate, X509Certificate issuer) {
        if (!Objects.equals(
                certificate.getIssuerX500Principal(), issuer.getSubjectX500Principal())) {
            return false;
        }
        try {
            certificate.verify(issuer.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
