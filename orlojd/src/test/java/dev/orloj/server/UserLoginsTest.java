package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.testkit.FakeAuthorizationServer;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Answer;
import dev.orloj.runtime.testkit.FakeLogins;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;

/** Users who log in at the authorization servers of MCP servers, from the manifest to the call. */
class UserLoginsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String REDIRECT = "http://127.0.0.1:7777/callback";
    private static final String SERVERS = RestClient.collection("default", "mcpservers");
    private static final String SECRETS = RestClient.collection("default", "secrets");

    private static RunningOrlojd orlojd;

    private final FakeAuthorizationServer issuer = FakeAuthorizationServer.start();
    private final FakeLogins logins = issuer.offerLogins();
    private final FakeHttpServer server = FakeHttpServer.start(FakeScript.wellBehaved());

    @BeforeAll
    static void startOrlojd() {
        orlojd = RunningOrlojd.start();
    }

    @AfterAll
    static void stopOrlojd() {
        orlojd.close();
    }

    @BeforeEach
    void serverAsksForTokens() {
        issuer.describeAt(server);
        server.guard(
                request ->
                        issuer.scopes(request) == null
                                ? new Answer(401, Map.of("WWW-Authenticate", "Bearer"), "")
                                : null);
    }

    @AfterEach
    void stop() {
        server.close();
        issuer.close();
    }

    private static String path(String name) {
        return SERVERS + "/" + name + "/authorization";
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text);
    }

    private void apply(String name, String more) {
        orlojd.client()
                .create(
                        "default",
                        "mcpservers",
                        RunningOrlojd.http(
                                name,
                                server.endpoint(),
                                "auth: {oauth: {grantType: authorization_code%s}}"
                                        .formatted(more)));
    }

    private static String begin(String name) {
        String answer =
                orlojd.client()
                        .post(path(name), Map.of("redirectUri", REDIRECT))
                        .expect(200)
                        .text();
        return json(answer).at("/request/authorizationUrl").asString();
    }

    private static Map<String, String> response(String query) {
        return Map.of("redirectUri", REDIRECT, "query", query);
    }

    private static JsonNode logIn(String name) {
        String query = FakeLogins.logIn(begin(name));
        return json(orlojd.client().post(path(name), response(query)).expect(200).text());
    }

    private static void awaitLoginRequired(String name) {
        await().atMost(TIMEOUT)
                .until(
                        () -> acceptance(name).path("reason").asString(),
                        "OAuthLoginRequired"::equals);
        assertThat(acceptance(name).path("message").asString())
                .contains("orlojctl auth login %s -n default".formatted(name));
    }

    private static JsonNode acceptance(String name) {
        return orlojd.awaitCondition("default", name, "Accepted", "False");
    }

    @Test
    void aServerIsReadyAfterTheLoginAndCallsCarryTheTokenOfTheUser() {
        apply("crm", "");
        awaitLoginRequired("crm");
        assertThat(server.received()).isEmpty();

        JsonNode answer = logIn("crm");

        assertThat(answer.at("/status/loggedIn").asBoolean()).isTrue();
        assertThat(answer.at("/status/issuer").asString()).isEqualTo(issuer.issuer());
        assertThat(answer.at("/status/renewable").asBoolean()).isTrue();
        assertThat(answer.at("/status/secret").asString()).isEqualTo("crm-oauth-login");
        assertThat(answer.toString()).doesNotContain("token-", "refresh-");
        orlojd.awaitReady("default", "crm");
        orlojd.client().call("default", "crm--echo", "{}").expect(200);
        assertThat(issuer.scopes(server.received("tools/call").getFirst())).isNotNull();
    }

    @Test
    void theTokensAreASecretThatTheServerOwns() {
        apply("owned", "");
        logIn("owned");

        JsonNode secret =
                json(orlojd.client().get(SECRETS + "/owned-oauth-login").expect(200).text());
        assertThat(secret.at("/spec/type").asString()).isEqualTo("orloj.dev/oauth-login");
        assertThat(secret.at("/metadata/ownerReferences/0/name").asString()).isEqualTo("owned");
        assertThat(storedLogin("owned").path("refreshToken").asString()).startsWith("refresh-");
    }

    /** A new session for each renewed token would end the calls of the old one. */
    @Test
    void aTokenIsRenewedWithoutANewSession() {
        apply("renewed", "");
        logIn("renewed");
        orlojd.awaitReady("default", "renewed");
        int sessions = server.received("initialize").size();

        issuer.revokeAll();
        orlojd.client().call("default", "renewed--echo", "{}").expect(200);

        assertThat(issuer.requests())
                .anyMatch(request -> "refresh_token".equals(request.form().get("grant_type")));
        orlojd.client().call("default", "renewed--echo", "{}").expect(200);
        assertThat(server.received("initialize")).hasSize(sessions);
    }

    @Test
    void aLoginThatTheAuthorizationServerEndedIsAConditionUntilTheNextOne() {
        apply("ended", "");
        logIn("ended");
        orlojd.awaitReady("default", "ended");

        logins.endAll();
        issuer.revokeAll();
        orlojd.client().call("default", "ended--echo", "{}");
        awaitLoginRequired("ended");
        JsonNode status = json(orlojd.client().get(path("ended")).expect(200).text());
        assertThat(status.at("/status/loggedIn").asBoolean()).isFalse();
        assertThat(status.at("/status/message").asString()).contains("invalid_grant");
        assertThat(orlojd.client().call("default", "ended--echo", "{}").text())
                .contains("OAuthLoginRequired", "orlojctl auth login ended -n default");

        logIn("ended");
        orlojd.awaitReady("default", "ended");
    }

    /** As after a crash between the answer with the next refresh token and its Secret. */
    @Test
    void aRefreshTokenWhoseSuccessorWasLostIsAConditionWithTheCommand() throws Exception {
        apply("crashed", "");
        logIn("crashed");
        orlojd.awaitReady("default", "crashed");
        JsonNode login = storedLogin("crashed");
        String form =
                "grant_type=refresh_token&client_id=%s&resource=%s&refresh_token=%s"
                        .formatted(
                                login.at("/parties/client/id").asString(),
                                login.at("/parties/resource").asString(),
                                login.path("refreshToken").asString());
        try (HttpClient lost = HttpClient.newHttpClient()) {
            int code =
                    lost.send(
                                    HttpRequest.newBuilder(URI.create(issuer.issuer() + "/token"))
                                            .POST(HttpRequest.BodyPublishers.ofString(form))
                                            .build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode();
            assertThat(code).isEqualTo(200);
        }
        issuer.revokeAll();

        orlojd.client().call("default", "crashed--echo", "{}");

        awaitLoginRequired("crashed");
        assertThat(acceptance("crashed").path("message").asString()).contains("invalid_grant");
        logIn("crashed");
        orlojd.awaitReady("default", "crashed");
    }

    private static JsonNode storedLogin(String name) {
        String secret =
                orlojd.client().get(SECRETS + "/" + name + "-oauth-login").expect(200).text();
        return json(
                new String(
                        Base64.getDecoder().decode(json(secret).at("/spec/data/login").asString()),
                        StandardCharsets.UTF_8));
    }

    @Test
    void allLoginsAtAServerAreThoseOfOneClient() {
        apply("again", "");
        logIn("again");
        String client = storedLogin("again").at("/parties/client/id").asString();

        logIn("again");

        assertThat(storedLogin("again").at("/parties/client/id").asString()).isEqualTo(client);
        assertThat(logins.registrations()).hasSize(1);
    }

    @Test
    void deletionOfTheServerRevokesTheTokens() {
        apply("deleted", "");
        logIn("deleted");
        orlojd.awaitReady("default", "deleted");
        JsonNode login = storedLogin("deleted");

        orlojd.client().delete(SERVERS + "/deleted").expect(200);

        awaitGone("deleted");
        assertThat(logins.revoked())
                .containsExactly(
                        login.path("refreshToken").asString(),
                        login.path("accessToken").asString());
        await().atMost(TIMEOUT)
                .until(() -> orlojd.client().get(SECRETS + "/deleted-oauth-login").code() == 404);
    }

    @Test
    void deletionOfAServerWhoseTokensCannotBeRevokedGoesOnAndSaysSo() {
        apply("stranded", "");
        logIn("stranded");
        orlojd.awaitReady("default", "stranded");
        issuer.metadata().put("issuer", "https://moved.example.com");

        orlojd.client().delete(SERVERS + "/stranded").expect(200);

        awaitGone("stranded");
        assertThat(logins.revoked()).isEmpty();
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () ->
                                assertThat(
                                                orlojd.client()
                                                        .get("/api/v1/namespaces/default/events")
                                                        .text())
                                        .contains("TokensNotRevoked", "moved.example.com"));
    }

    /** What a server shares, or leaves behind, is not its own to end. */
    @Test
    void deletionOfAServerThatOrphansItsSecretLeavesTheTokens() {
        apply("orphaned", "");
        logIn("orphaned");
        orlojd.awaitReady("default", "orphaned");

        orlojd.client().delete(SERVERS + "/orphaned?propagationPolicy=Orphan").expect(200);

        awaitGone("orphaned");
        orlojd.client().get(SECRETS + "/orphaned-oauth-login").expect(200);
        assertThat(logins.revoked()).isEmpty();
    }

    private static void awaitGone(String name) {
        await().atMost(TIMEOUT)
                .until(() -> orlojd.client().get(SERVERS + "/" + name).code() == 404);
    }

    @Test
    void logoutRevokesTheTokensAndTheServerIsNotConnectedAnyMore() {
        apply("left", "");
        logIn("left");
        orlojd.awaitReady("default", "left");

        JsonNode answer = json(orlojd.client().delete(path("left")).expect(200).text());

        assertThat(answer.path("revocation").asString()).isEqualTo("Revoked");
        assertThat(answer.at("/status/loggedIn").asBoolean()).isFalse();
        assertThat(logins.revoked()).hasSize(2);
        awaitLoginRequired("left");
        JsonNode again = json(orlojd.client().delete(path("left")).expect(200).text());
        assertThat(again.path("revocation").asString()).isEqualTo("None");
    }

    /** A missing Secret must not keep tokens alive. */
    @Test
    void logoutDeletesTokensThatCannotBeRevoked() {
        logins.acceptClient(FakeAuthorizationServer.CLIENT);
        apply(
                "stuck",
                ", clientId: \"%s\", issuer: \"%s\""
                        .formatted(FakeAuthorizationServer.CLIENT, issuer.issuer()));
        logIn("stuck");
        orlojd.client()
                .patch(
                        SERVERS + "/stuck",
                        "{\"spec\": {\"auth\": {\"oauth\": {\"clientSecretRef\": \"missing\"}}}}")
                .expect(200);

        JsonNode status = json(orlojd.client().get(path("stuck")).expect(200).text());
        assertThat(status.at("/status/loggedIn").asBoolean()).isTrue();
        JsonNode answer = json(orlojd.client().delete(path("stuck")).expect(200).text());

        assertThat(answer.path("revocation").asString()).isEqualTo("Failed");
        assertThat(answer.at("/status/message").asString()).contains("missing");
        String secret = orlojd.client().get(SECRETS + "/stuck-oauth-login").expect(200).text();
        assertThat(json(secret).at("/spec/data").isEmpty()).isTrue();
    }

    @Test
    void theRefusalOfTheUserIsAnErrorWithoutControlCharacters() {
        apply("refused", "");
        logins.refuse("access_denied");
        String query = FakeLogins.logIn(begin("refused"));

        assertThat(orlojd.client().post(path("refused"), response(query)).expect(422).text())
                .contains("access_denied")
                .doesNotContain("\\u001b", "\u001b");
        awaitLoginRequired("refused");
    }

    @Test
    void onlyTheLatestLoginCanFinishAndOnlyOnce() {
        apply("latest", "");
        String first = FakeLogins.logIn(begin("latest"));
        String second = FakeLogins.logIn(begin("latest"));

        orlojd.client().post(path("latest"), response(first)).expect(422);
        orlojd.client().post(path("latest"), response(second)).expect(200);
        assertThat(orlojd.client().post(path("latest"), response(second)).expect(409).text())
                .contains("no login is in progress");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1:7777/callback",
                "http://attacker.example.com:7777/callback",
                "http://127.0.0.1.example.com:7777/callback",
                "http://127.0.0.1/callback",
                "http://user@127.0.0.1:7777/callback",
                "http://127.0.0.1:7777/callback?next=x",
                "javascript:alert(1)",
                ""
            })
    void onlyTheMachineOfTheUserGetsTheResponse(String redirectUri) {
        String name = "redirect-" + Integer.toHexString(redirectUri.hashCode());
        apply(name, "");

        assertThat(
                        orlojd.client()
                                .post(path(name), Map.of("redirectUri", redirectUri))
                                .expect(400)
                                .text())
                .contains("redirectUri: ");
        assertThat(issuer.fetched()).isEmpty();
    }

    @Test
    void aServerThatUsesOtherCredentialsHasNoLogin() {
        orlojd.client()
                .create(
                        "default",
                        "mcpservers",
                        RunningOrlojd.http("plain", server.endpoint(), "sharing: shared"));

        assertThat(orlojd.client().get(path("plain")).expect(422).text())
                .contains("spec.auth.oauth.grantType");
        orlojd.client().get(path("none")).expect(404);
    }

    @Test
    void aSecretOfSomethingElseIsNotOverwritten() {
        orlojd.client()
                .create(
                        "default",
                        "secrets",
                        """
                        apiVersion: orloj.dev/v1
                        kind: Secret
                        metadata: {name: precious}
                        spec: {stringData: {value: "mine"}}
                        """);
        apply("careful", ", loginSecret: precious");

        assertThat(
                        orlojd.client()
                                .post(path("careful"), Map.of("redirectUri", REDIRECT))
                                .expect(409)
                                .text())
                .contains("spec.auth.oauth.loginSecret");
    }

    @Test
    void anAuthorizationServerWithoutRegistrationIsAnErrorWithARemedy() {
        issuer.metadata().remove("registration_endpoint");
        apply("closed", "");

        assertThat(
                        orlojd.client()
                                .post(path("closed"), Map.of("redirectUri", REDIRECT))
                                .expect(422)
                                .text())
                .contains("spec.auth.oauth.clientId");
    }

    /** Mistake 17: nothing that a browser of the user opens, and no client is registered. */
    @ParameterizedTest
    @ValueSource(strings = {"javascript:alert(1)", "file:///etc/passwd", "https://x.example/$(id)"})
    void anAuthorizationEndpointThatIsNoWebPageIsAnErrorThatQuotesIt(String endpoint) {
        issuer.metadata().put("authorization_endpoint", endpoint);
        String name = "page-" + Integer.toHexString(endpoint.hashCode());
        apply(name, "");

        RestClient.Answer refused =
                orlojd.client().post(path(name), Map.of("redirectUri", REDIRECT)).expect(422);

        assertThat(refused.body().path("message").asString())
                .contains("authorization_endpoint \"" + endpoint + "\"");
        assertThat(logins.registrations()).isEmpty();
    }
}
