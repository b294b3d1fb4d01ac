package dev.orloj.runtime.code;

import java.security.cert.X509Certificate;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** Who vouches for the certificate of an endpoint. */
final class CertificateIssuer {

    private CertificateIssuer() {}

    /**
     * Returns the organization that issued a certificate, or the whole name of the issuer if it has
     * none. A renewed certificate has the same: authorities take turns with their keys and the
     * names of these.
     */
    static String of(X509Certificate certificate) {
        String issuer = certificate.getIssuerX500Principal().getName();
        try {
            for (Rdn part : new LdapName(issuer).getRdns()) {
                if (part.getType().equalsIgnoreCase("O")) {
                    return String.valueOf(part.getValue());
                }
            }
        } catch (InvalidNameException e) {
            return issuer;
        }
        return issuer;
    }
}
