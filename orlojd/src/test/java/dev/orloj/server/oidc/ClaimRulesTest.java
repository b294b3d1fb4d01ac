package dev.orloj.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;

import dev.orloj.server.authentication.InvalidCredentialException;
import dev.orloj.server.authorization.UserInfo;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;

class ClaimRulesTest {

    private static final Instant NOW = Instant.parse("2026-11-23T10:00:00Z");
    private static final String URL = "https://id.example.com";

    private static final IssuerSettings SETTINGS =
            new IssuerSettings(
                    URL,
                    URL + "/.well-known/openid-configuration",
                    "",
                    Set.of("orloj"),
                    Map.of("hd", "example.com"),
                    new ClaimMapping("email", ""),
                    new ClaimMapping("roles", ""),
                    "oid");

    private final JWTClaimsSet.Builder claims =
            new JWTClaimsSet.Builder()
                    .issuer(URL)
                    .subject("1234")
                    .audience(List.of("orloj", "other"))
                    .expirationTime(Date.from(NOW.plusSeconds(60)))
                    .claim("email", "ann@example.com")
                    .claim("oid", "u-1")
                    .claim("hd", "example.com")
                    .claim("roles", List.of("web", "ops"))
                    .claim("scope", "a b");

    @Test
    void claimsBecomeAUser() throws Exception {
        VerifiedJwt token = read();

        assertThat(token.user())
                .isEqualTo(
                        new UserInfo(
                                "ann@example.com",
                                "u-1",
                                List.of("web", "ops", "system:authenticated"),
                                Map.of(
                                        "orloj.dev/issuer",
                                        List.of(URL),
                                        "orloj.dev/subject",
                                        List.of("1234"))));
        assertThat(token.isForEverything()).isTrue();
        assertThat(token.scopes()).containsExactlyInAnyOrder("a", "b");
        assertThat(token.expiresAt()).isEqualTo(NOW.plusSeconds(60));
    }

    @ParameterizedTest
    @DisplayName("Mistake 19: a claim that is missing is not a claim that fits")
    @ValueSource(strings = {"exp", "sub", "email", "oid", "hd"})
    void missingClaimIsNamed(String claim) {
        claims.claim(claim, null);

        assertThatThrownBy(this::read)
                .isInstanceOf(InvalidCredentialException.class)
                .hasMessage("token of issuer \"%s\": claim \"%s\" is missing", URL, claim);
    }

    @Test
    void tokenWithoutAnAudienceIsForNothing() throws Exception {
        claims.audience((String) null);

        assertThat(read().isForEverything()).isFalse();
        assertThat(read().audiences()).isEmpty();
    }

    @Test
    void requiredValueIsComparedAsAText() {
        claims.claim("hd", List.of("example.com"));

        assertThatThrownBy(this::read).hasMessageContaining("claim \"hd\" is not \"example.com\"");
    }

    @Test
    void emailCountsOnlyIfItIsVerifiedOrNotSaid() throws Exception {
        assertThat(read().user().username()).isEqualTo("ann@example.com");

        for (Object unverified : List.of(false, "true", 1)) {
            claims.claim("email_verified", unverified);
            assertThatThrownBy(this::read)
                    .hasMessageContaining("claim \"email_verified\" is not true");
        }
        claims.claim("email_verified", true);
        assertThat(read().user().username()).isEqualTo("ann@example.com");
    }

    @ParameterizedTest
    @DisplayName("A group of an issuer is never one of Kubernetes or orlojd")
    @ValueSource(strings = {"system:masters", "system:", "orloj:administrators"})
    void reservedNamesAreRefused(String name) {
        claims.claim("roles", List.of("web", name));
        assertThatThrownBy(this::read).hasMessageContaining("the name \"%s\" is reserved", name);

        claims.claim("roles", List.of()).claim("email", name);
        assertThatThrownBy(this::read).hasMessageContaining("is reserved");
    }

    @Test
    void groupsMayBeOneOrNone() throws Exception {
        claims.claim("roles", "web");
        assertThat(read().user().groups()).containsExactly("web", "system:authenticated");

        claims.claim("roles", null);
        assertThat(read().user().groups()).containsExactly("system:authenticated");

        claims.claim("roles", List.of("web", 1));
        assertThatThrownBy(this::read).hasMessageContaining("\"roles\" is no list of strings");
    }

    @Test
    void tokenCountsInItsTime() throws Exception {
        claims.notBeforeTime(Date.from(NOW.plus(Duration.ofMinutes(4))));
        assertThat(read().user().username()).isEqualTo("ann@example.com");

        claims.notBeforeTime(Date.from(NOW.plus(Duration.ofMinutes(6))));
        assertThatThrownBy(this::read).hasMessageContaining("not valid before");

        claims.notBeforeTime(null).expirationTime(Date.from(NOW));
        assertThatThrownBy(this::read).hasMessageContaining("expired at 2026-11-23T10:00:00Z");
    }

    @Test
    void namesAreBounded() {
        claims.claim("email", "x".repeat(513));

        assertThatThrownBy(this::read).hasMessageContaining("no string of 1 to 512 characters");
    }

    @Test
    void scopesAreATextOrAList() throws Exception {
        claims.claim("scope", null).claim("scp", List.of("a", "c"));

        assertThat(read().scopes()).containsExactlyInAnyOrder("a", "c");
    }

    private VerifiedJwt read() throws InvalidCredentialException {
        return new ClaimRules(SETTINGS).read(claims.build(), NOW);
    }
}
