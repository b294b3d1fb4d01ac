package dev.orloj.server.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.TokenRequest;

import dev.orloj.server.certificate.TestCertificates;
import dev.orloj.server.testing.CuttingProxy;

import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.OAuth2Config;
import no.nav.security.mock.oauth2.http.MockWebServerWrapper;
import no.nav.security.mock.oauth2.http.Ssl;
import no.nav.security.mock.oauth2.http.SslKeystore;
import no.nav.security.mock.oauth2.token.DefaultOAuth2TokenCallback;
import no.nav.security.mock.oauth2.token.KeyProvider;
import no.nav.security.mock.oauth2.token.OAuth2TokenProvider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * An identity provider over TLS, whose keys can be replaced, and to which the way can be cut. It
 * asks for no password: every client with a browser is Ann.
 */
public final class IdentityProvider implements AutoCloseable {

    /** The audience that the configuration names. */
    public static final String AUDIENCE = "orloj";

    /** What it permits to everyone who asks for a token. */
    public static final String SCOPE = "openid mcp:use";

    private static final String REALM = "corp";
    private static final String PASSWORD = "changeit";
    private static final int KEY_BITS = 2048;

    private final Keys keys = new Keys();
    private volatile boolean resourcesIgnored;
    private final MockWebServerWrapper http;
    private final MockOAuth2Server server;
    private final CuttingProxy way;
    private final Path authority;

    /** One key for all, which can be replaced. */
    private static final class Keys extends KeyProvider {

        private static final RSAKey STRANGER = fresh();

        private volatile RSAKey current = fresh();

        Keys() {
            super(List.of(), "RS256");
        }

        private static RSAKey fresh() {
            try {
                return new RSAKeyGenerator(KEY_BITS).keyID(UUID.randomUUID().toString()).generate();
            } catch (JOSEException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public JWK signingKey(String realm) {
            return current;
        }
    }

    /** Names the user, and the resource that the client asked for. */
    private final class Ann extends DefaultOAuth2TokenCallback {

        Ann() {
            super(
                    REALM,
                    "ann",
                    "JWT",
                    null,
                    Map.of("groups", List.of("web"), "scope", SCOPE),
                    3_600);
        }

        @Override
        public List<String> audience(TokenRequest request) {
            List<URI> resources = request.getResources();
            return resources == null || resourcesIgnored
                    ? List.of("nothing")
                    : resources.stream().map(URI::toString).toList();
        }
    }

    private IdentityProvider(Path folder) throws IOException, GeneralSecurityException {
        this.authority = folder.resolve("idp-ca.crt");
        KeyStore certificate = TestCertificates.server(authority, PASSWORD.toCharArray());
        this.http = new MockWebServerWrapper(new Ssl(new SslKeystore(PASSWORD, certificate)));
        this.server =
                new MockOAuth2Server(
                        new OAuth2Config(
                                false,
                                null,
                                null,
                                false,
                                new OAuth2TokenProvider(keys),
                                Set.of(new Ann()),
                                http));
        server.start(InetAddress.getLoopbackAddress(), 0);
        this.way = new CuttingProxy("https://127.0.0.1:" + http.port());
    }

    /**
     * @param folder for the certificate of its authority
     */
    public static IdentityProvider start(Path folder) {
        try {
            return new IdentityProvider(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public String issuer() {
        return way.url().replace("http:", "https:") + "/" + REALM;
    }

    /** PEM with what clients have to trust. */
    public Path authority() {
        return authority;
    }

    /** An AuthenticationConfiguration with this issuer. */
    public String configuration() throws IOException {
        return configuration(issuer());
    }

    String configuration(String issuer) throws IOException {
        return JwtIssuer.configuration(issuer, AUDIENCE, authority);
    }

    /** The claims of a token of Ann that counts. */
    public JWTClaimsSet.Builder ann() {
        return new JWTClaimsSet.Builder()
                .issuer(issuer())
                .subject("ann")
                .audience(AUDIENCE)
                .claim("groups", List.of("web"))
                .jwtID(UUID.randomUUID().toString())
                .expirationTime(Date.from(Instant.now().plus(Duration.ofHours(1))));
    }

    public String sign(JWTClaimsSet.Builder claims) {
        return sign(claims, keys.current);
    }

    /** With a key that only its id makes one of this issuer. */
    static String signAsStranger(JWTClaimsSet.Builder claims, String keyId) {
        return sign(claims, new RSAKey.Builder(Keys.STRANGER).keyID(keyId).build());
    }

    private static String sign(JWTClaimsSet.Builder claims, RSAKey key) {
        try {
            SignedJWT token =
                    new SignedJWT(
                            new JWSHeader.Builder(JWSAlgorithm.RS256)
                                    .keyID(key.getKeyID())
                                    .type(JOSEObjectType.JWT)
                                    .build(),
                            claims.build());
            token.sign(new RSASSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    RSAKey key() {
        return keys.current;
    }

    /** From now on, everything is signed with another key, and the old one is not published. */
    void replaceKey() {
        keys.current = Keys.fresh();
    }

    /** Whether its tokens are for something else than what a client asked for. */
    public void ignoreResources(boolean ignored) {
        resourcesIgnored = ignored;
    }

    /** How many requests it has received. */
    int requests() {
        return http.getMockWebServer().getRequestCount();
    }

    /** Cuts the way to it. */
    public void block() {
        way.block();
    }

    public void unblock() {
        way.unblock();
    }

    @Override
    public void close() {
        try {
            way.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.shutdown();
    }
}
