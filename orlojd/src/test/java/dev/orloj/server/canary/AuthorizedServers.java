package dev.orloj.server.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.testkit.FakeAuthorizationServer;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Answer;
import dev.orloj.runtime.testkit.FakeLogins;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.server.oidc.UserTokenIssuer;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Servers that get a token after the login of a user, and one for each user by exchange. Both send
 * the token back: with what they refuse, and with what fails.
 */
final class AuthorizedServers implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final String SERVERS = RestClient.collection("default", "mcpservers") + "/";
    private static final String REDIRECT = "http://127.0.0.1:7777/callback";

    /** Forms of requests for tokens have these. */
    private static final List<String> SECRETS_OF_FORMS =
            List.of("code", "code_verifier", "refresh_token", "subject_token");

    private final FakeAuthorizationServer logins = FakeAuthorizationServer.start();
    private final UserTokenIssuer exchange;
    final FakeHttpServer loggedIn = FakeHttpServer.start(FakeScript.wellBehaved().tools("echo"));
    final FakeHttpServer perUser =
            FakeHttpServer.start(FakeScript.wellBehaved().sessions().tools("echo"));

    AuthorizedServers(Path folder) throws Exception {
        exchange = UserTokenIssuer.start(folder);
        logins.offerLogins();
        logins.describeAt(loggedIn);
        loggedIn.guard(request -> answer(request, logins));
        exchange.server().describeAt(perUser);
        perUser.guard(request -> answer(request, exchange.server()));
    }

    /** Sends the token back; {@code fail} is what the client says. */
    private static @Nullable Answer answer(
            FakeHttpServer.Received request, FakeAuthorizationServer issuer) {
        String text = "got " + request.headers().get("authorization");
        if (issuer.scopes(request) == null) {
            return new Answer(401, Map.of("WWW-Authenticate", "Bearer"), text);
        }
        return request.body().toString().contains("fail")
                ? Answer.of(500, "text/plain", text)
                : null;
    }

    List<String> jvmOptions() throws Exception {
        return exchange.jvmOptions();
    }

    Path authenticationConfiguration() throws Exception {
        return exchange.authenticationConfiguration();
    }

    /** Creates the servers, logs in, and calls them, also so that it fails. */
    void use(RestClient owner, String url, Canaries canaries) throws Exception {
        owner.create(
                "default",
                "mcpservers",
                RunningOrlojd.http(
                        "logged-in",
                        loggedIn.endpoint(),
                        "auth: {oauth: {grantType: authorization_code}}"));
        logIn(owner);
        createExchanging(owner);
        await().atMost(TIMEOUT).until(() -> isReady(owner, "logged-in"));
        await().atMost(TIMEOUT).until(() -> isReady(owner, "exchanging"));
        owner.call("default", "logged-in--echo", "{}").expect(200);
        logins.revokeAll();
        owner.call("default", "logged-in--echo", "{}").expect(200);
        RestClient.Answer failed = owner.call("default", "logged-in--echo", "{\"text\": \"fail\"}");
        assertThat(failed.code()).as(failed.text()).isGreaterThanOrEqualTo(500);
        callAsUser(owner, url, canaries);
        note(logins, loggedIn, canaries);
        note(exchange.server(), perUser, canaries);
        assertThat(canaries.foundIn(failed.text())).as(failed.text()).isEmpty();
    }

    private static void logIn(RestClient owner) {
        String path = SERVERS + "logged-in/authorization";
        String begun = owner.post(path, Map.of("redirectUri", REDIRECT)).expect(200).text();
        String query =
                FakeLogins.logIn(
                        Json.MAPPER.readTree(begun).at("/request/authorizationUrl").asString());
        owner.post(path, Map.of("redirectUri", REDIRECT, "query", query)).expect(200);
    }

    private void createExchanging(RestClient owner) {
        owner.create(
                "default",
                "secrets",
                """
                apiVersion: orloj.dev/v1
                kind: Secret
                metadata: {name: exchanging-client}
                spec: {stringData: {value: "%s"}}
                """
                        .formatted(FakeAuthorizationServer.SECRET));
        owner.create(
                "default",
                "mcpservers",
                RunningOrlojd.http(
                        "exchanging",
                        perUser.endpoint(),
                        exchange.authOfServer("exchanging-client")));
    }

    private void callAsUser(RestClient owner, String url, Canaries canaries) throws Exception {
        String token = exchange.tokenOf("ann");
        canaries.add("token of a user", token);
        owner.post(
                        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                        """
                        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
                         "metadata": {"name": "ann"},
                         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "caller"},
                         "subjects": [{"kind": "User", "name": "corp:ann"}]}\
                        """)
                .expect(201);
        RestClient ann = new RestClient(url, token);
        await().atMost(TIMEOUT)
                .until(() -> ann.call("default", "exchanging--echo", "{}").code() == 200);
        RestClient.Answer failed = ann.call("default", "exchanging--echo", "{\"text\": \"fail\"}");
        assertThat(failed.code()).as(failed.text()).isGreaterThanOrEqualTo(500);
        note(exchange.server(), perUser, canaries);
        assertThat(canaries.foundIn(failed.text())).as(failed.text()).isEmpty();
    }

    private static boolean isReady(RestClient owner, String name) {
        return owner.get(SERVERS + name)
                .expect(200)
                .body()
                .at("/status/phase")
                .asString("")
                .equals("Ready");
    }

    /** Looks for what requests for tokens had, and for the tokens that the server got. */
    private static void note(
            FakeAuthorizationServer issuer, FakeHttpServer server, Canaries canaries) {
        AtomicInteger number = new AtomicInteger();
        for (FakeAuthorizationServer.TokenRequest request : issuer.requests()) {
            for (String parameter : SECRETS_OF_FORMS) {
                String value = request.form().get(parameter);
                if (value != null) {
                    canaries.add(name(parameter, issuer, number), value);
                }
            }
        }
        server.received().stream()
                .map(request -> request.headers().getOrDefault("authorization", ""))
                .filter(header -> header.startsWith("Bearer "))
                .map(header -> header.substring("Bearer ".length()))
                .distinct()
                .forEach(token -> canaries.add(name("access_token", issuer, number), token));
    }

    private static String name(
            String parameter, FakeAuthorizationServer issuer, AtomicInteger number) {
        return "%s %d at %s".formatted(parameter, number.incrementAndGet(), issuer.issuer());
    }

    @Override
    public void close() {
        loggedIn.close();
        perUser.close();
        logins.close();
        exchange.close();
    }
}
