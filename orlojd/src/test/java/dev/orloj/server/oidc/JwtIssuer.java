package dev.orloj.server.oidc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes the file that lets orlojd accept the tokens of an issuer. */
final class JwtIssuer {

    private JwtIssuer() {}

    /**
     * Returns an AuthenticationConfiguration. The names of users and groups get the prefix {@code
     * corp:}.
     *
     * @param authority PEM with what the certificate of the issuer is checked by
     */
    static String configuration(String url, String audience, Path authority) throws IOException {
        return """
        apiVersion: apiserver.config.k8s.io/v1
        kind: AuthenticationConfiguration
        jwt:
        - issuer:
            url: %s
            audiences: [%s]
            certificateAuthority: |
        %s
          claimMappings:
            username: {claim: sub, prefix: "corp:"}
            groups: {claim: groups, prefix: "corp:"}
        """
                .formatted(url, audience, Files.readString(authority).strip().indent(6));
    }
}
