package dev.orloj.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;

import dev.orloj.server.authentication.InvalidCredentialException;
import dev.orloj.server.properties.InvalidConfigurationException;

import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.UUID;

/** Tokens of a real identity provider, which is away at times and replaces its keys. */
@Timeout(120)
class IssuersTest {

    private static final Duration SOON = Duration.ofMillis(50);

    /** Keys are never fetched again by time, and for each unknown key. */
    private static final Timing OFTEN =
            new Timing(SOON, Duration.ofDays(1), Duration.ofMillis(1), Duration.ofHours(4));

    /** Keys are fetched again after ten seconds; a test that is slow must not depend on it. */
    private static final Timing AGAIN =
            new Timing(SOON, Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofHours(4));

    /** Keys are never fetched again by time, and for unknown keys once in an hour. */
    private static final Timing RARELY =
            new Timing(SOON, Duration.ofDays(1), Duration.ofHours(1), Duration.ofHours(4));

    @TempDir private Path folder;

    private IdentityProvider provider;
    private Path file;
    private Issuers issuers;

    @BeforeEach
    void start() throws IOException {
        provider = IdentityProvider.start(folder);
        file = folder.resolve("authentication.yaml");
        Files.writeString(file, provider.configuration());
    }

    @AfterEach
    void stop() {
        if (issuers != null) {
            issuers.close();
        }
        provider.close();
    }

    private void begin(Timing timing) {
        issuers = new Issuers(file, timing, InstantSource.system());
        issuers.start(SOON);
    }

    private void beginAndReach(Timing timing) {
        begin(timing);
        eventually().until(() -> problem().isEmpty());
    }

    /** However slow the machine is. */
    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(60)).ignoreExceptions();
    }

    private String problem() {
        return issuers.reachability().getFirst().problem();
    }

    private String name(String token) throws InvalidCredentialException {
        return issuers.verify(token).orElseThrow().user().username();
    }

    private String cause(String token) {
        try {
            return "none: " + issuers.verify(token);
        } catch (InvalidCredentialException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void tokenOfTheIssuerCounts() throws Exception {
        beginAndReach(OFTEN);
        VerifiedJwt token = issuers.verify(provider.sign(provider.ann())).orElseThrow();

        assertThat(token.user().username()).isEqualTo("corp:ann");
        assertThat(token.user().groups()).containsExactly("corp:web", "system:authenticated");
        assertThat(issuers.urls()).containsExactly(provider.issuer());
    }

    @Test
    void whatIsNoJwtIsOfSomeoneElse() throws Exception {
        beginAndReach(OFTEN);

        assertThat(issuers.verify("orloj_abc")).isEmpty();
        assertThat(issuers.verify("a.b")).isEmpty();
    }

    @Test
    void startDoesNotWaitForAnIssuerThatIsAway() throws Exception {
        provider.block();
        begin(OFTEN);
        String token = provider.sign(provider.ann());
        eventually().until(() -> !problem().contains("has not been reached yet"));

        assertThat(cause(token)).contains("the issuer cannot be used");
        assertThat(problem()).isNotEmpty();

        provider.unblock();
        eventually().until(() -> name(token).equals("corp:ann"));
    }

    @Test
    @Execution(CONCURRENT)
    void keysCountWhileTheIssuerIsAway() throws Exception {
        beginAndReach(AGAIN);
        assertThat(name(provider.sign(provider.ann()))).isEqualTo("corp:ann");
        provider.block();

        // The keys have to be fetched again ten seconds before they are too old.
        eventually().until(() -> !problem().isEmpty());

        assertThat(issuers.isReachable(provider.issuer())).isFalse();
        assertThat(name(provider.sign(provider.ann()))).isEqualTo("corp:ann");

        provider.unblock();
        eventually().until(() -> problem().isEmpty());
        assertThat(name(provider.sign(provider.ann()))).isEqualTo("corp:ann");
    }

    @Test
    void newKeyCountsAtOnceAndTheOldOneNoLonger() throws Exception {
        beginAndReach(OFTEN);
        JWTClaimsSet.Builder ann = provider.ann();
        String old = provider.sign(ann);
        assertThat(name(provider.sign(provider.ann()))).isEqualTo("corp:ann");

        provider.replaceKey();

        eventually()
                .untilAsserted(
                        () ->
                                assertThat(name(provider.sign(provider.ann())))
                                        .isEqualTo("corp:ann"));
        assertThat(cause(old)).contains("token of issuer");
    }

    @Test
    @DisplayName("A flood of unknown keys does not become a flood of fetches")
    void unknownKeysAreFetchedRarely() throws Exception {
        beginAndReach(RARELY);
        name(provider.sign(provider.ann()));
        int before = provider.requests();

        for (int i = 0; i < 200; i++) {
            String id = UUID.randomUUID().toString();
            assertThat(cause(IdentityProvider.signAsStranger(provider.ann(), id))).contains(id);
        }

        assertThat(provider.requests() - before).isLessThanOrEqualTo(2);
        assertThat(name(provider.sign(provider.ann()))).isEqualTo("corp:ann");
    }

    @Test
    void foreignSignatureIsRefused() throws Exception {
        beginAndReach(OFTEN);
        String id = provider.key().getKeyID();

        assertThat(cause(IdentityProvider.signAsStranger(provider.ann(), id)))
                .contains("Invalid signature");
    }

    @Test
    void unsignedTokensAndSharedSecretsAreRefused() throws Exception {
        beginAndReach(OFTEN);

        assertThat(cause(new PlainJWT(provider.ann().build()).serialize()))
                .contains("no valid JWT");
        assertThat(cause(signedWithPublicKey())).contains("algorithm HS256 is not allowed");
    }

    /** The old attack: what is public is taken for a shared secret. */
    private String signedWithPublicKey() throws JOSEException {
        SignedJWT token =
                new SignedJWT(
                        new JWSHeader.Builder(JWSAlgorithm.HS256)
                                .keyID(provider.key().getKeyID())
                                .build(),
                        provider.ann().build());
        token.sign(new MACSigner(provider.key().toRSAPublicKey().getEncoded()));
        return token.serialize();
    }

    @Test
    void wrongIssuerAndExpiryAreNamed() throws Exception {
        beginAndReach(OFTEN);
        String late =
                provider.sign(
                        provider.ann().expirationTime(Date.from(Instant.now().minusSeconds(1))));

        assertThat(cause(provider.sign(provider.ann().issuer("https://evil.example.com"))))
                .isEqualTo("token of issuer \"https://evil.example.com\", which is not configured");
        assertThat(cause(provider.sign(provider.ann().issuer(null))))
                .contains("token without an issuer");
        assertThat(cause(provider.sign(provider.ann().issuer(provider.issuer() + "/"))))
                .contains("not configured");
        assertThat(cause(late)).contains("expired at");
    }

    @Test
    void hugeTokenIsRefusedUnread() throws Exception {
        beginAndReach(OFTEN);

        assertThat(cause(provider.sign(provider.ann().claim("x", "x".repeat(20_000)))))
                .contains("the limit is 16384");
        assertThat(cause("a.b.c.d.e")).contains("encrypted tokens");
        assertThat(cause("e30.e30.")).contains("no valid JWT");
    }

    @Test
    void configurationOfAnotherIssuerIsRefused() throws Exception {
        Files.writeString(
                file,
                provider.configuration(provider.issuer() + "-other")
                        .replace(
                                "    audiences",
                                "    discoveryURL: %s/.well-known/openid-configuration\n    audiences"
                                        .formatted(provider.issuer())));
        begin(OFTEN);

        eventually()
                .untilAsserted(
                        () ->
                                assertThat(problem())
                                        .contains(
                                                "is of the issuer \"" + provider.issuer() + "\""));
    }

    @Test
    void certificateOfTheIssuerIsChecked() throws Exception {
        String configuration = provider.configuration();
        Files.writeString(
                file,
                configuration.substring(0, configuration.indexOf("    certificateAuthority"))
                        + configuration.substring(configuration.indexOf("  claimMappings")));
        begin(OFTEN);

        eventually().untilAsserted(() -> assertThat(problem()).contains("PKIX"));
    }

    @Test
    void changedFileCountsAndABrokenOneDoesNot() throws Exception {
        beginAndReach(OFTEN);
        String token = provider.sign(provider.ann());
        assertThat(name(token)).isEqualTo("corp:ann");

        Files.writeString(file, provider.configuration().replace("corp:", "other:"));
        eventually().until(() -> name(token).equals("other:ann"));

        Files.writeString(file, "kind: Nothing");
        Files.delete(file);
        assertThat(name(token)).isEqualTo("other:ann");

        Files.writeString(file, provider.configuration().replaceFirst("(?s)jwt:.*", "jwt: []\n"));
        eventually().until(() -> cause(token).contains("which is not configured"));
        assertThat(issuers.urls()).isEmpty();
    }

    @Test
    void firstFileHasToBeUsable() throws Exception {
        Files.writeString(file, "kind: Nothing");

        assertThatThrownBy(() -> new Issuers(file, OFTEN, InstantSource.system()))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("--authentication-config")
                .hasMessageContaining("apiVersion");
        assertThatThrownBy(
                        () -> new Issuers(folder.resolve("absent"), OFTEN, InstantSource.system()))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void withoutAFileNoTokenCounts() {
        issuers = new Issuers(null, OFTEN, InstantSource.system());
        issuers.start(SOON);

        assertThat(cause(provider.sign(provider.ann()))).contains("which is not configured");
        assertThat(List.of(issuers.urls(), issuers.reachability())).containsOnly(List.of());
    }
}
