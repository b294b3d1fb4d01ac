package dev.orloj.runtime.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.testkit.FakeAuthorizationServer;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeLogins;
import dev.orloj.runtime.testkit.FakeScript;

import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;

class LoginTokensTest {

    private static final List<String> SCOPES = List.of("crm.read");

    private final FakeAuthorizationServer issuer = FakeAuthorizationServer.start();
    private final FakeLogins logins = issuer.offerLogins();
    private final FakeHttpServer server = FakeHttpServer.start(FakeScript.wellBehaved());
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private volatile Instant now = Instant.parse("2026-11-27T12:00:00Z");
    private final OAuthHttp http = new OAuthHttp(EndpointAddresses.DEFAULT, timer);
    private final AuthorizationCodeGrant grant =
            new AuthorizationCodeGrant(EndpointAddresses.DEFAULT, () -> now);
    private final MemoryStore store = new MemoryStore();

    private OAuthSettings settings =
            new OAuthSettings(
                    "default/crm",
                    new ClientAuthentication("", null, null, null),
                    issuer.issuer(),
                    "",
                    SCOPES,
                    "");

    /** A store whose writes count. */
    private static final class MemoryStore implements Login.Store {

        final AtomicReference<Login> login = new AtomicReference<>();
        volatile boolean isFull = false;

        @Override
        public Optional<Login> find() {
            return Optional.ofNullable(login.get());
        }

        @Override
        public boolean replace(Login old, Login next) {
            if (isFull && old.renewalEnd().isAfter(Instant.EPOCH)) {
                throw new IllegalStateException("the disk is full");
            }
            return login.get().equals(old) && login.compareAndSet(login.get(), next);
        }
    }

    @BeforeEach
    void serverNamesItsIssuer() throws OAuthException {
        issuer.describeAt(server);
        logIn();
    }

    private void logIn() throws OAuthException {
        AuthorizationRequest request =
                grant.begin(
                        server.endpoint(),
                        settings,
                        Optional.empty(),
                        "http://127.0.0.1:7777/callback");
        Login login =
                grant.finish(server.endpoint(), settings, request, FakeLogins.logIn(request.url()));
        store.login.set(login);
    }

    @AfterEach
    void stop() {
        http.close();
        grant.close();
        timer.shutdownNow();
        server.close();
        issuer.close();
    }

    private Login login() {
        return store.login.get();
    }

    private LoginTokens replica() {
        return replica(server.endpoint());
    }

    private LoginTokens replica(URI endpoint) {
        Login.Reference reference = new Login.Reference(login().id(), store);
        settings = settings.with(reference);
        return new LoginTokens(http, endpoint, settings, reference, () -> now);
    }

    private static AccessToken next(LoginTokens tokens) throws OAuthException {
        return tokens.next(BearerChallenge.NONE, SCOPES);
    }

    private static long refreshes(FakeAuthorizationServer issuer) {
        return issuer.requests().stream()
                .filter(request -> "refresh_token".equals(request.form().get("grant_type")))
                .count();
    }

    @Test
    void theTokenOfTheLoginIsUsed() throws OAuthException {
        assertThat(next(replica()).value()).isEqualTo(login().accessToken());
        assertThat(refreshes(issuer)).isZero();
    }

    @Test
    void anExpiredTokenIsRenewedAndTheLoginStays() throws OAuthException {
        Login old = login();
        LoginTokens tokens = replica();
        now = old.expiry();

        AccessToken token = next(tokens);

        assertThat(token.value()).isEqualTo(login().accessToken()).isNotEqualTo(old.accessToken());
        assertThat(login().id()).isEqualTo(old.id());
        assertThat(login().refreshToken()).isNotEmpty().isNotEqualTo(old.refreshToken());
        assertThat(login().renewalEnd()).isEqualTo(Instant.EPOCH);
        assertThat(tokens.secrets()).contains(old.refreshToken());
    }

    @Test
    void aTokenThatTheServerRefusesIsRenewed() throws OAuthException {
        LoginTokens tokens = replica();
        AccessToken first = next(tokens);

        assertThat(next(tokens).value()).isNotEqualTo(first.value());
        assertThat(refreshes(issuer)).isOne();
    }

    /** A refresh token that is used twice ends the login at many authorization servers. */
    @Test
    void replicasThatNeedATokenAtTheSameTimeRenewItOnce() throws Exception {
        List<LoginTokens> replicas = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            replicas.add(replica());
        }
        now = login().expiry();

        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<AccessToken>> results = new ArrayList<>();
            for (LoginTokens tokens : replicas) {
                results.add(threads.submit(() -> next(tokens)));
            }
            for (Future<AccessToken> result : results) {
                assertThat(result.get().value()).isEqualTo(login().accessToken());
            }
        }
        assertThat(refreshes(issuer)).isOne();
    }

    @Test
    void theRenewalOfAReplicaThatDiedIsTakenOverAfterItsTime() throws OAuthException {
        LoginTokens tokens = replica();
        now = login().expiry();
        store.login.set(login().renewing(now.plusSeconds(20)));
        now = now.plusSeconds(20);

        assertThat(next(tokens).value()).isEqualTo(login().accessToken());
        assertThat(refreshes(issuer)).isOne();
    }

    @Test
    void aRefreshTokenThatIsNotAcceptedEndsTheLoginForAllReplicas() {
        LoginTokens tokens = replica();
        LoginTokens other = replica();
        logins.endAll();
        now = login().expiry();

        assertRequiresLogin(tokens).hasMessageContaining("invalid_grant");
        assertThat(login().isOver()).isTrue();
        assertThat(login().refreshToken()).isEmpty();
        assertRequiresLogin(other).hasMessageContaining("orlojctl auth login crm -n default");
        assertThat(refreshes(issuer)).isOne();
    }

    @Test
    void anOutageDoesNotEndTheLogin() throws OAuthException {
        LoginTokens tokens = replica();
        now = login().expiry();
        issuer.refuse("temporarily_unavailable", "later");

        assertThatThrownBy(() -> next(tokens)).hasMessageContaining("temporarily_unavailable");
        assertThat(login().isOver()).isFalse();

        issuer.refuse("", "");
        assertThat(next(tokens).value()).isEqualTo(login().accessToken());
    }

    /** The authorization server does not accept the old refresh token again. */
    @Test
    void tokensThatCouldNotBeSavedAreSavedLater() throws OAuthException {
        LoginTokens tokens = replica();
        now = login().expiry();
        store.isFull = true;
        assertThatThrownBy(() -> next(tokens)).hasMessage("the disk is full");

        store.isFull = false;
        assertThat(next(tokens).value()).isEqualTo(login().accessToken());
        assertThat(login().isOver()).isFalse();
        assertThat(refreshes(issuer)).isOne();
    }

    /** A server that takes the name of the Secret of another one must not get its token. */
    @Test
    void aTokenGoesToTheEndpointOfItsLoginOnly() {
        LoginTokens tokens = replica(URI.create("https://attacker.example.com/mcp"));

        assertRequiresLogin(tokens).hasMessageContaining("https://attacker.example.com/mcp");
        assertThat(tokens.secrets()).contains(login().accessToken());
    }

    @Test
    void aLoginWithoutARefreshTokenLastsAsLongAsItsToken() throws OAuthException {
        logins.giveNoRefreshTokens();
        logIn();
        LoginTokens tokens = replica();
        now = login().expiry().minusSeconds(10);
        assertThat(next(tokens).value()).isEqualTo(login().accessToken());

        now = login().expiry();
        assertRequiresLogin(tokens).hasMessageContaining("no refresh token");
    }

    @Test
    void aScopeThatTheUserDidNotGrantRequiresAnotherLogin() throws OAuthException {
        LoginTokens tokens = replica();
        next(tokens);

        assertThatThrownBy(() -> tokens.next(BearerChallenge.NONE, List.of("crm.write")))
                .hasMessageContaining("spec.auth.oauth.scopes");
        assertThat(refreshes(issuer)).isZero();
    }

    @Test
    void aLoginThatAnotherOneReplacedIsNotUsed() throws OAuthException {
        LoginTokens tokens = replica();
        logIn();

        assertRequiresLogin(tokens);
        assertThat(next(replica()).value()).isEqualTo(login().accessToken());
    }

    @Test
    void noTokenGoesToAnotherIssuerOfTheManifest() {
        settings =
                new OAuthSettings(
                        "default/crm", settings.client(), "https://other", "", SCOPES, "");
        LoginTokens tokens = replica();
        now = login().expiry();

        assertRequiresLogin(tokens).hasMessageContaining("https://other");
        assertThat(refreshes(issuer)).isZero();
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRequiresLogin(
            LoginTokens tokens) {
        return assertThatThrownBy(() -> next(tokens))
                .isInstanceOfSatisfying(
                        OAuthException.class,
                        e -> assertThat(e.failure()).isEqualTo(OAuthFailure.LOGIN_REQUIRED));
    }
}
