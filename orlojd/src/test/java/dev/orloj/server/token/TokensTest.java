package dev.orloj.server.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.ServiceAccount;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.server.authentication.InvalidCredentialException;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.store.token.SigningKeyTable;
import dev.orloj.server.store.token.UserToken;
import dev.orloj.server.store.token.UserTokenTable;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

@Timeout(60)
class TokensTest {

    private static final SecretCipher CIPHER =
            SecretCipher.fromBase64("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    private static final SecretCipher OTHER_CIPHER =
            SecretCipher.fromBase64("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE=");
    private static final ResourceKey BUILDER = new ResourceKey("default", "builder");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final TestPostgres.Database database = TestPostgres.freshDatabase();
    private final MemoryResourceClient resources = new MemoryResourceClient(clock);
    private final ServiceAccounts accounts = new ServiceAccounts(resources);
    private final AccountTokens accountTokens = replica(CIPHER);
    private final AtomicBoolean isAway = new AtomicBoolean();
    private final UserTokenTable table =
            new UserTokenTable(
                    new DelegatingDataSource(database.pool()) {
                        @Override
                        public Connection getConnection() throws SQLException {
                            if (isAway.get()) {
                                throw new SQLException("the database is away");
                            }
                            return super.getConnection();
                        }
                    });
    private final UserTokens userTokens = new UserTokens(table, clock);
    private final Tokens tokens = new Tokens(accountTokens, accounts, userTokens, clock);

    @BeforeEach
    void create() {
        resources.create(ServiceAccount.KIND, ServiceAccount.of("default", "builder"));
    }

    @AfterEach
    void close() {
        database.close();
    }

    private AccountTokens replica(SecretCipher cipher) {
        return new AccountTokens(
                new SigningKeys(new SigningKeyTable(database.pool(), cipher), clock),
                accounts,
                clock);
    }

    private String issue(AccountTokens from, Duration lifetime) {
        ServiceAccount account = accounts.find(BUILDER).orElseThrow();
        List<String> audiences = List.of(TokenVerifier.API_AUDIENCE);
        return from.issue(new AccountTokens.Grant(account, audiences, lifetime, Optional.empty()))
                .token();
    }

    private static boolean isValid(TokenVerifier verifier, String token) {
        try {
            return verifier.verify(token, List.of(TokenVerifier.API_AUDIENCE)).isPresent();
        } catch (InvalidCredentialException e) {
            return false;
        }
    }

    private String userToken(String name) {
        return userTokens
                .create(
                        new UserToken(
                                name,
                                "ann",
                                List.of("web"),
                                Optional.empty(),
                                "",
                                clock.instant(),
                                clock.instant().plus(Duration.ofDays(1)),
                                Optional.empty()))
                .token();
    }

    /** As on a full disk, on which the database still answers. */
    @Test
    void tokenIsValidWhenItsUseCannotBeNoted() {
        String token = userToken("laptop");
        database.jdbc()
                .sql(
                        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
                                + " 'BEGIN RAISE disk_full; END'")
                .update();
        database.jdbc()
                .sql(
                        "CREATE TRIGGER full_disk BEFORE UPDATE ON user_token"
                                + " EXECUTE FUNCTION full_disk()")
                .update();

        assertThat(isValid(userTokens, token)).isTrue();
        assertThat(userTokens.get("laptop").lastUsedAt()).isEmpty();
    }

    /** A revocation on another replica counts here when what is kept is too old. */
    @Test
    void verifiedTokenIsKeptForThreeSecondsAtMost() throws Exception {
        String token = userToken("kept");
        assertThat(tokens.verify(token)).isPresent();
        table.delete("kept");
        clock.advance(Tokens.KEPT.minusMillis(1));
        assertThat(tokens.verify(token)).isPresent();

        clock.advance(Duration.ofMillis(1));

        assertThatThrownBy(() -> tokens.verify(token))
                .isInstanceOf(InvalidCredentialException.class)
                .hasMessageContaining("revoked");
    }

    @Test
    void verifiedTokenIsKeptForAMinuteWhileTheDatabaseIsAway() throws Exception {
        String token = userToken("outage");
        assertThat(tokens.verify(token)).isPresent();
        isAway.set(true);
        clock.advance(Tokens.OUTAGE.minusMillis(1));
        assertThat(tokens.verify(token)).isPresent();

        clock.advance(Duration.ofMillis(1));

        assertThatThrownBy(() -> tokens.verify(token)).isInstanceOf(DataAccessException.class);
        isAway.set(false);
        assertThat(tokens.verify(token)).isPresent();
    }

    @Test
    void revocationCountsAtOnce() throws Exception {
        String token = userToken("revoked");
        assertThat(tokens.verify(token)).isPresent();

        tokens.revoke("revoked");

        assertThatThrownBy(() -> tokens.verify(token))
                .isInstanceOf(InvalidCredentialException.class);
    }

    @Test
    void keptTokenExpiresInTime() throws Exception {
        String token = issue(accountTokens, Duration.ofSeconds(2));
        assertThat(tokens.verify(token)).isPresent();

        clock.advance(Duration.ofSeconds(2));

        assertThatThrownBy(() -> tokens.verify(token))
                .isInstanceOf(InvalidCredentialException.class)
                .hasMessageContaining("expired");
    }

    @Test
    void lastUseIsWrittenOnceInTenMinutes() {
        String token = userToken("used");
        Instant first = clock.instant();
        assertThat(isValid(userTokens, token)).isTrue();
        clock.advance(Duration.ofMinutes(9));
        assertThat(isValid(userTokens, token)).isTrue();
        assertThat(userTokens.get("used").lastUsedAt()).contains(first);

        clock.advance(Duration.ofMinutes(2));
        assertThat(isValid(userTokens, token)).isTrue();

        assertThat(userTokens.get("used").lastUsedAt()).contains(clock.instant());
    }

    @Test
    void newestKeySignsAndAllVerifyOnEveryReplica() {
        AccountTokens other = replica(CIPHER);
        String old = issue(accountTokens, Duration.ofDays(200));
        assertThat(isValid(other, old)).isTrue();
        clock.advance(SigningKeys.LIFETIME.plusDays(1));
        String fresh = issue(accountTokens, Duration.ofDays(200));

        assertThat(header(fresh)).isNotEqualTo(header(old)).contains("ES256");
        assertThat(isValid(accountTokens, old)).isTrue();
        assertThat(isValid(other, fresh)).isTrue();
        assertThat(isValid(replica(CIPHER), old)).isTrue();
        assertThat(header(issue(other, Duration.ofHours(1)))).isEqualTo(header(fresh));
    }

    @Test
    void keyThatTheSecretKeyDoesNotOpenIsOutOfUse() {
        String old = issue(accountTokens, Duration.ofHours(1));
        AccountTokens restored = replica(OTHER_CIPHER);

        String fresh = issue(restored, Duration.ofHours(1));

        assertThat(isValid(restored, fresh)).isTrue();
        assertThat(isValid(restored, old)).isFalse();
        assertThat(database.jdbc().sql("SELECT sealed FROM signing_key").query(String.class).list())
                .allMatch(text -> text.startsWith("orloj:v1:"));
    }

    @Test
    void tokenOfAnotherAlgorithmKeyOrFormIsRefused() {
        String[] parts = issue(accountTokens, Duration.ofHours(1)).split("\\.");
        String none = encode("{\"alg\":\"none\"}");
        String unknown = encode("{\"alg\":\"ES256\",\"kid\":\"x\"}");

        assertThat(isValid(accountTokens, none + "." + parts[1] + ".")).isFalse();
        assertThat(isValid(accountTokens, unknown + "." + parts[1] + "." + parts[2])).isFalse();
        assertThat(isValid(accountTokens, parts[0] + "." + parts[1] + ".")).isFalse();
        assertThat(isValid(accountTokens, parts[0] + "." + parts[1])).isFalse();
        assertThat(isValid(accountTokens, parts[0] + "." + encode("[]") + "." + parts[2]))
                .isFalse();
        assertThat(isValid(accountTokens, "x".repeat(TokenVerifier.MAX_LENGTH + 1))).isFalse();
        assertThat(isValid(accountTokens, String.join(".", parts))).isTrue();
    }

    private static String header(String token) {
        return new String(
                Base64.getUrlDecoder().decode(token.substring(0, token.indexOf('.'))),
                StandardCharsets.UTF_8);
    }

    private static String encode(String json) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
