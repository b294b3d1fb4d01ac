package dev.orloj.runtime.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.testkit.FakeAuthorizationServer;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Answer;
import dev.orloj.runtime.testkit.FakeLogins;
import dev.orloj.runtime.testkit.FakeScript;

import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

class AuthorizationCodeGrantTest {

    private static final String REDIRECT = "http://127.0.0.1:7777/callback";

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final FakeAuthorizationServer issuer = FakeAuthorizationServer.start();
    private final FakeLogins logins = issuer.offerLogins();
    private final FakeHttpServer server = FakeHttpServer.start(FakeScript.wellBehaved());
    private Instant now = Instant.parse("2026-11-27T12:00:00Z");
    private final AuthorizationCodeGrant grant =
            new AuthorizationCodeGrant(EndpointAddresses.DEFAULT, () -> now);
    private final OAuthSettings settings = settings("", "");

    @BeforeEach
    void serverAsksForTokens() {
        issuer.describeAt(server);
        server.guard(
                request ->
                        new Answer(
                                401, Map.of("WWW-Authenticate", "Bearer scope=\"crm.read\""), ""));
    }

    @AfterEach
    void stop() {
        grant.close();
        server.close();
        issuer.close();
    }

    private static OAuthSettings settings(String clientId, String wantedIssuer) {
        return new OAuthSettings(
                "default/crm",
                new ClientAuthentication(clientId, null, null, null),
                wantedIssuer,
                "",
                List.of(),
                "");
    }

    private AuthorizationRequest begin() throws OAuthException {
        return grant.begin(server.endpoint(), settings, Optional.empty(), REDIRECT);
    }

    private Login finish(AuthorizationRequest request, String query) throws OAuthException {
        return grant.finish(server.endpoint(), settings, request, query);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertFailure(
            OAuthFailure failure, ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OAuthException.class, e -> assertThat(e.failure()).isEqualTo(failure));
    }

    @Test
    void aClientThatIsNotRegisteredRegistersItselfAndGetsTokens() throws OAuthException {
        AuthorizationRequest request = begin();
        Login login = finish(request, FakeLogins.logIn(request.url()));

        assertThat(logins.registrations())
                .singleElement()
                .satisfies(
                        sent -> {
                            assertThat(sent.at("/redirect_uris/0").asString()).isEqualTo(REDIRECT);
                            assertThat(sent.path("application_type").asString())
                                    .isEqualTo("native");
                            assertThat(sent.path("token_endpoint_auth_method").asString())
                                    .isEqualTo("none");
                        });
        assertThat(login.accessToken()).startsWith("token-");
        assertThat(login.refreshToken()).startsWith("refresh-");
        assertThat(login.scopes()).containsExactly("crm.read");
        assertThat(login.expiry()).isEqualTo(now.plusSeconds(3600));
        assertThat(login.parties().resource()).isEqualTo(server.endpoint().toString());
        assertThat(login.toString() + request)
                .doesNotContain(login.accessToken(), login.refreshToken(), request.codeVerifier());
    }

    @Test
    void theClientOfTheManifestIsNotRegistered() throws OAuthException {
        logins.acceptClient("https://orloj.example.com/client.json");
        OAuthSettings ofManifest = settings("https://orloj.example.com/client.json", "");

        AuthorizationRequest request =
                grant.begin(server.endpoint(), ofManifest, Optional.empty(), REDIRECT);
        Login login =
                grant.finish(
                        server.endpoint(), ofManifest, request, FakeLogins.logIn(request.url()));

        assertThat(logins.registrations()).isEmpty();
        assertThat(login.parties().client()).isEqualTo(Login.Client.NONE);
        assertThat(login.accessToken()).isNotEmpty();
    }

    @Test
    void aRegisteredClientIsUsedAgainForTheSameRedirectUri() throws OAuthException {
        AuthorizationRequest first = begin();
        AuthorizationRequest second =
                grant.begin(server.endpoint(), settings, Optional.of(first.closed()), REDIRECT);
        assertThat(second.parties().client()).isEqualTo(first.parties().client());

        grant.begin(
                server.endpoint(),
                settings,
                Optional.of(first.closed()),
                "http://127.0.0.1:7778/callback");
        assertThat(logins.registrations()).hasSize(2);
    }

    @Test
    void aServerThatAnswersWithoutATokenIsNoObstacle() throws OAuthException {
        server.guard(_ -> null);

        assertThat(begin().url()).startsWith(issuer.issuer());
    }

    /** The answer is a stream, of which only the status counts. */
    @Test
    void aServerWhoseAnswerNeverEndsIsNoObstacle() throws Exception {
        HttpServer endless = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
        CountDownLatch end = new CountDownLatch(1);
        endless.setExecutor(command -> Thread.ofVirtual().start(command));
        endless.createContext("/.well-known/", exchange -> answer(exchange, 404, end));
        endless.createContext("/mcp", exchange -> answer(exchange, 200, end));
        endless.start();
        try {
            URI endpoint =
                    URI.create("http://127.0.0.1:%d/mcp".formatted(endless.getAddress().getPort()));

            AuthorizationRequest request =
                    grant.begin(
                            endpoint, settings("", issuer.issuer()), Optional.empty(), REDIRECT);

            assertThat(end.getCount()).isOne();
            assertThat(request.parties().resource()).isEqualTo(endpoint.toString());
        } finally {
            end.countDown();
            endless.stop(0);
        }
    }

    private static void answer(HttpExchange exchange, int status, CountDownLatch end)
            throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status, status == 200 ? 0 : -1);
            if (status == 200) {
                exchange.getResponseBody().write(':');
                exchange.getResponseBody().flush();
                end.await();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void eachRequestHasItsOwnStateAndProofKey() throws OAuthException {
        AuthorizationRequest first = begin();
        AuthorizationRequest second = begin();

        assertThat(first.state()).hasSize(43).isNotEqualTo(second.state());
        assertThat(first.codeVerifier()).hasSize(43).isNotEqualTo(second.codeVerifier());
        assertThat(first.url()).doesNotContain(first.codeVerifier());
        assertThat(first.isOpen(now)).isTrue();
        assertThat(first.isOpen(now.plusSeconds(600))).isFalse();
        assertThat(first.closed().isOpen(now)).isFalse();
    }

    @Test
    void theParametersOfTheAuthorizationEndpointStay() throws OAuthException {
        assertThat(URI.create(begin().url()).getRawQuery())
                .startsWith("tenant=1&")
                .contains("scope=crm.read", "code_challenge_method=S256");
    }

    @Test
    void aServerWithAScopeForRefreshTokensIsAskedForThem() throws OAuthException {
        issuer.metadata().putArray("scopes_supported").add("offline_access").add("admin");

        assertThat(begin().scopes()).containsExactly("crm.read", "offline_access");
    }

    @Test
    void aResponseOfAnotherLoginIsRefused() throws OAuthException {
        AuthorizationRequest request = begin();
        String query = FakeLogins.logIn(begin().url());

        assertFailure(OAuthFailure.LOGIN_REQUIRED, () -> finish(request, query))
                .hasMessageContaining("another login");
        assertThat(issuer.requests()).isEmpty();
    }

    @Test
    void aResponseOfAnotherIssuerIsRefusedBeforeItsCodeIsSent() throws OAuthException {
        AuthorizationRequest request = begin();
        logins.nameIssuer("https://attacker.example.com");

        assertFailure(
                        OAuthFailure.ISSUER_REFUSED,
                        () -> finish(request, FakeLogins.logIn(request.url())))
                .hasMessageContaining("https://attacker.example.com");
        assertThat(issuer.requests()).isEmpty();
    }

    @Test
    void aResponseThatDoesNotNameItsIssuerIsRefusedIfItHasTo() throws OAuthException {
        AuthorizationRequest request = begin();
        String query = FakeLogins.logIn(request.url()).replaceFirst("&iss=.*", "");

        assertFailure(OAuthFailure.ISSUER_REFUSED, () -> finish(request, query))
                .hasMessageContaining("no named issuer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"&code=other", "&state=other", "&iss=other"})
    void aResponseThatRepeatsAParameterIsRefused(String more) throws OAuthException {
        AuthorizationRequest request = begin();
        String query = FakeLogins.logIn(request.url()) + more;

        assertFailure(OAuthFailure.LOGIN_REQUIRED, () -> finish(request, query))
                .hasMessageContaining("repeats");
    }

    @Test
    void theRefusalOfTheUserIsTheMessageWithoutControlCharacters() throws OAuthException {
        AuthorizationRequest request = begin();
        logins.refuse("access_denied");

        assertFailure(
                        OAuthFailure.LOGIN_REQUIRED,
                        () -> finish(request, FakeLogins.logIn(request.url())))
                .hasMessageContaining("access_denied")
                .hasMessageNotContaining("\u001b");
    }

    @Test
    void aCodeIsRedeemedOnlyOnce() throws OAuthException {
        AuthorizationRequest request = begin();
        String query = FakeLogins.logIn(request.url());
        finish(request, query);

        assertFailure(OAuthFailure.TOKEN_FAILED, () -> finish(request, query))
                .hasMessageContaining("invalid_grant");
    }

    @Test
    void anAuthorizationServerWithoutProofKeysIsRefused() {
        issuer.metadata().remove("code_challenge_methods_supported");

        assertFailure(OAuthFailure.DISCOVERY_FAILED, this::begin).hasMessageContaining("PKCE");
    }

    @Test
    void aServerThatIsItsOwnAuthorizationServerNeedsNoMetadata() throws OAuthException {
        URI own = URI.create(issuer.issuer() + "/mcp");
        issuer.hideMetadata();

        AuthorizationRequest request = grant.begin(own, settings, Optional.empty(), REDIRECT);
        Login login = grant.finish(own, settings, request, FakeLogins.logIn(request.url()));

        assertThat(request.url().toString()).startsWith(issuer.issuer() + "/authorize?");
        assertThat(logins.registrations()).hasSize(1);
        assertThat(login.parties().issuer()).isEqualTo(issuer.issuer());
        assertThat(login.accessToken()).startsWith("token-");
    }

    @Test
    void anotherAuthorizationServerNeedsMetadata() {
        issuer.hideMetadata();

        assertFailure(OAuthFailure.DISCOVERY_FAILED, this::begin)
                .hasMessageContaining("has no metadata");
    }

    @Test
    void anAuthorizationServerWithoutRegistrationNeedsAClientId() {
        issuer.metadata().remove("registration_endpoint");

        assertFailure(OAuthFailure.DISCOVERY_FAILED, this::begin)
                .hasMessageContaining("spec.auth.oauth.clientId");
    }

    @Test
    void anAuthorizationServerWithoutLoginsIsRefused() {
        issuer.metadata().remove("authorization_endpoint");

        assertFailure(OAuthFailure.DISCOVERY_FAILED, this::begin)
                .hasMessageContaining("client_credentials");
    }

    /** Mistake 17: what is no web page could start a program of the user. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "javascript:alert(1)",
                "file:///etc/passwd",
                "data:text/html,login",
                "vscode://login.example.com/authorize",
                "ms-msdt:/id",
                "//login.example.com/authorize",
                "https:authorize",
                "https://user@login.example.com/authorize",
                "https://login.example.com/$(touch stolen)",
            })
    void anAuthorizationEndpointThatIsNoWebPageIsRefused(String endpoint) {
        issuer.metadata().put("authorization_endpoint", endpoint);

        assertFailure(OAuthFailure.DISCOVERY_FAILED, this::begin)
                .hasMessageContaining("authorization_endpoint \"" + endpoint + "\"");
        assertThat(logins.registrations()).isEmpty();
    }

    /** Mistake 17: programs that open browsers are scripts on many systems. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/$(id)",
                "/;id",
                "/!id",
                "/*",
                "/'id'",
                "/?a=$HOME",
                "/?a=$(id)",
                "/?a=1;id",
            })
    void anAuthorizationEndpointWithCharactersOfAShellIsRefused(String path) {
        issuer.metadata().put("authorization_endpoint", issuer.issuer() + path);

        assertFailure(OAuthFailure.DISCOVERY_FAILED, this::begin)
                .hasMessageContaining(issuer.issuer() + path)
                .hasMessageContaining("a shell");
        assertThat(logins.registrations()).isEmpty();
    }

    /** A scope and a resource can have all of these characters. */
    @Test
    void theUrlOfALoginHasNoCharactersOfAShell() throws OAuthException {
        issuer.metadata().put("authorization_endpoint", issuer.issuer() + "/a?tenant=%24x&b=1,2");
        server.guard(
                _ ->
                        new Answer(
                                401,
                                Map.of("WWW-Authenticate", "Bearer scope=\"$(id) a;b '*' `|!\""),
                                ""));

        assertThat(begin().url())
                .startsWith(issuer.issuer() + "/a?tenant=%24x&b=1")
                .doesNotContainPattern("[$();'*`|!\\s\"<>\\\\]");
    }

    @Test
    void theAuthorizationServerOfTheManifestCountsWhenALoginIsFinished() throws OAuthException {
        AuthorizationRequest request = begin();
        String query = FakeLogins.logIn(request.url());

        assertFailure(
                        OAuthFailure.LOGIN_REQUIRED,
                        () ->
                                grant.finish(
                                        server.endpoint(),
                                        settings("", "https://other.example.com"),
                                        request,
                                        query))
                .hasMessageContaining("orlojctl auth login crm -n default");
        assertThat(issuer.requests()).isEmpty();
    }

    /** Whoever changes the endpoint between the two halves must not get the token. */
    @Test
    void aLoginIsFinishedForTheEndpointItBeganFor() throws OAuthException {
        AuthorizationRequest request = begin();
        String query = FakeLogins.logIn(request.url());

        assertFailure(
                        OAuthFailure.LOGIN_REQUIRED,
                        () ->
                                grant.finish(
                                        URI.create("https://attacker.example.com/mcp"),
                                        settings,
                                        request,
                                        query))
                .hasMessageContaining("https://attacker.example.com/mcp");
        assertThat(issuer.requests()).isEmpty();
    }

    @Test
    void revocationEndsBothTokens() throws OAuthException {
        AuthorizationRequest request = begin();
        Login login = finish(request, FakeLogins.logIn(request.url()));

        assertThat(grant.revoke(server.endpoint(), settings, login)).isTrue();
        assertThat(logins.revoked()).containsExactly(login.refreshToken(), login.accessToken());

        issuer.metadata().remove("revocation_endpoint");
        assertThat(grant.revoke(server.endpoint(), settings, login)).isFalse();
    }
}
