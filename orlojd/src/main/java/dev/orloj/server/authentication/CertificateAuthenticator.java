package dev.orloj.server.authentication;

import dev.orloj.api.signature.Sha256;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.certificate.ClientCertificates;

import jakarta.servlet.http.HttpServletRequest;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Reads the certificate of a client: the user is its common name, the groups are its organizations,
 * as in Kubernetes.
 */
public final class CertificateAuthenticator implements Authenticator {

    private static final String ATTRIBUTE = "jakarta.servlet.request.X509Certificate";
    private static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

    private final ClientCertificates clients;
    private final InstantSource clock;

    public CertificateAuthenticator(ClientCertificates clients, InstantSource clock) {
        this.clients = clients;
        this.clock = clock;
    }

    @Override
    public Optional<UserInfo> authenticate(HttpServletRequest request)
            throws InvalidCredentialException {
        if (!(request.getAttribute(ATTRIBUTE) instanceof X509Certificate[] chain)
                || chain.length == 0) {
            return Optional.empty();
        }
        try {
            clients.verify(List.of(chain));
            Optional<UserInfo> user = user(chain[0]);
            Credential.attach(request, Credential.until(chain[0].getNotAfter().toInstant(), clock));
            return user;
        } catch (GeneralSecurityException | InvalidNameException e) {
            throw new InvalidCredentialException(
                    "client certificate %s: %s"
                            .formatted(chain[0].getSubjectX500Principal(), e.getMessage()),
                    e);
        }
    }

    private static Optional<UserInfo> user(X509Certificate certificate)
            throws GeneralSecurityException, InvalidNameException {
        String name = "";
        List<String> groups = new ArrayList<>();
        for (Rdn rdn : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
            switch (rdn.getType()) {
                case "CN" -> name = String.valueOf(rdn.getValue());
                case "O" -> groups.add(String.valueOf(rdn.getValue()));
                default -> {}
            }
        }
        if (name.isEmpty()) {
            return Optional.empty();
        }
        String id = "X509SHA256=" + Sha256.hex(certificate.getEncoded());
        return Optional.of(
                new UserInfo(name, "", groups, Map.of(CREDENTIAL_ID, List.of(id))).authenticated());
    }
}
