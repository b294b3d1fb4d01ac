package dev.orloj.server.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

import dev.orloj.runtime.testkit.FakeAuthorizationServer;
import dev.orloj.server.certificate.TestCertificates;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;

/** An authorization server over https that issues tokens to users, and exchanges them. */
public final class UserTokenIssuer implements AutoCloseable {

    /** The audience of orlojd. */
    private static final String AUDIENCE = "orloj";

    private static final String PASSWORD = "changeit";

    private final Path folder;
    private final Path authority;
    private final RSAKey key;
    private final FakeAuthorizationServer server;

    private UserTokenIssuer(Path folder)
            throws IOException, GeneralSecurityException, JOSEException {
        this.folder = folder;
        this.authority = folder.resolve("idp-ca.crt");
        KeyStore certificate = TestCertificates.server(authority, PASSWORD.toCharArray());
        this.server =
                FakeAuthorizationServer.start(TestCertificates.serving(certificate, PASSWORD));
        this.key = new RSAKeyGenerator(2048).keyID("one").generate();
        server.publish(new JWKSet(key));
    }

    /**
     * @param folder for its certificate and the configuration of its clients
     */
    public static UserTokenIssuer start(Path folder)
            throws IOException, GeneralSecurityException, JOSEException {
        return new UserTokenIssuer(folder);
    }

    public FakeAuthorizationServer server() {
        return server;
    }

    /** Makes a JVM trust its certificate. */
    public List<String> jvmOptions() throws IOException, GeneralSecurityException {
        try (InputStream pem = Files.newInputStream(authority)) {
            return TestCertificates.trusting(
                    folder.resolve("trust.p12"),
                    List.of(CertificateFactory.getInstance("X.509").generateCertificate(pem)));
        }
    }

    /** Writes what makes orlojd accept its tokens; the users get the prefix {@code corp:}. */
    public Path authenticationConfiguration() throws IOException {
        return Files.writeString(
                folder.resolve("authentication.yaml"),
                JwtIssuer.configuration(server.issuer(), AUDIENCE, authority));
    }

    /** Issues a token for orlojd, which its clients may exchange. */
    public String tokenOf(String user) throws JOSEException {
        SignedJWT token =
                new SignedJWT(
                        new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
                        new JWTClaimsSet.Builder()
                                .issuer(server.issuer())
                                .subject(user)
                                .audience(AUDIENCE)
                                .jwtID(UUID.randomUUID().toString())
                                .expirationTime(Date.from(Instant.now().plusSeconds(3_600)))
                                .build());
        token.sign(new RSASSASigner(key));
        server.users().accept(token.serialize(), user);
        return token.serialize();
    }

    /**
     * Returns the lines of a spec with which a server gets a token for each user.
     *
     * @param secret the name of the Secret with {@link FakeAuthorizationServer#SECRET}
     */
    public String authOfServer(String secret) {
        return """
        auth:
          oauth:
            grantType: urn:ietf:params:oauth:grant-type:token-exchange
            clientId: "%s"
            clientSecretRef: %s
            issuer: "%s"
        """
                .formatted(FakeAuthorizationServer.CLIENT, secret, server.issuer())
                .indent(2)
                .strip();
    }

    @Override
    public void close() {
        server.close();
    }
}
