package dev.orloj.controllers.login;

import static dev.orloj.api.client.DeleteOptions.UNCONDITIONAL;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.core.Secret;
import dev.orloj.api.testing.FaultyClient;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.login.UserLogins.Logout;
import dev.orloj.controllers.login.UserLogins.Revocation;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.oauth.AuthorizationCodeGrant;
import dev.orloj.runtime.oauth.ClientAuthentication;
import dev.orloj.runtime.oauth.Login;
import dev.orloj.runtime.oauth.OAuthException;
import dev.orloj.runtime.oauth.OAuthSettings;
import dev.orloj.runtime.testkit.FakeAuthorizationServer;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Answer;
import dev.orloj.runtime.testkit.FakeLogins;
import dev.orloj.runtime.testkit.FakeScript;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Users who log in at a server while it is deleted. */
@Timeout(60)
class LoginAtLeavingServerTest {

    private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
    private static final String REDIRECT = "http://127.0.0.1:7777/callback";

    private final FakeAuthorizationServer issuer = FakeAuthorizationServer.start();
    private final FakeLogins users = issuer.offerLogins();
    private final FakeHttpServer endpoint = FakeHttpServer.start(FakeScript.wellBehaved());
    private final AuthorizationCodeGrant grant =
            new AuthorizationCodeGrant(EndpointAddresses.DEFAULT, () -> NOW);
    private final FaultyClient client = new FaultyClient(new MemoryResourceClient(() -> NOW));
    private final LoginSecrets secrets = new LoginSecrets(client);
    private final UserLogins logins = new UserLogins(secrets, grant, _ -> target(), () -> NOW);
    private final McpServer server = create();

    @BeforeEach
    void serverAsksForTokens() {
        issuer.describeAt(endpoint);
        endpoint.guard(_ -> new Answer(401, Map.of("WWW-Authenticate", "Bearer"), ""));
    }

    @AfterEach
    void stop() {
        grant.close();
        endpoint.close();
        issuer.close();
    }

    private LoginTarget target() {
        return new LoginTarget(
                endpoint.endpoint(),
                new OAuthSettings(
                        "default/crm",
                        new ClientAuthentication("", null, null, null),
                        "",
                        "",
                        List.of(),
                        ""));
    }

    private McpServer create() {
        return client.create(
                McpServer.KIND,
                ResourceCodec.fromDocument(
                        McpServer.KIND,
                        (ObjectNode)
                                Json.MAPPER.readTree(
                                        """
                                        {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                                         "metadata": {"namespace": "default", "name": "crm",
                                                      "finalizers": ["%s"]},
                                         "spec": {"transport": "http",
                                                  "endpoint": "https://crm.example.com/mcp",
                                                  "auth": {"oauth": {"grantType": "authorization_code"}}}}
                                        """
                                                .formatted(McpServer.FINALIZER))));
    }

    private McpServer markAsDeleted() {
        client.delete(McpServer.KIND, server.key(), UNCONDITIONAL);
        return client.get(McpServer.KIND, server.key());
    }

    private void removeFinalizer(McpServer leaving) {
        client.update(
                McpServer.KIND,
                leaving.withMetadata(leaving.metadata().withoutFinalizer(McpServer.FINALIZER)));
    }

    private String logIn() throws OAuthException {
        return FakeLogins.logIn(logins.begin(server, REDIRECT).url());
    }

    private Login finish(String query) throws OAuthException {
        return logins.finish(server, REDIRECT, query);
    }

    /** Runs once, just before the next write of a Secret. */
    private void beforeTheSecretIsWritten(Runnable action) {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        client.failBefore(
                request -> {
                    if (request.verb().isWrite()
                            && request.kind().equals(Secret.KIND)
                            && isFirst.compareAndSet(true, false)) {
                        action.run();
                    }
                });
    }

    private void assertRefused(String query) {
        assertThatThrownBy(() -> finish(query))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> assertThat(e.reason()).isEqualTo(ErrorReason.CONFLICT))
                .hasMessageContaining("crm")
                .hasMessageContaining("it is being deleted");
    }

    private void assertRevokedAndForgotten() {
        assertThat(users.revoked())
                .satisfiesExactlyInAnyOrder(
                        token -> assertThat(token).startsWith("refresh-"),
                        token -> assertThat(token).startsWith("token-"));
        assertThat(secrets.read(server).login()).isEmpty();
    }

    /** No one else knows these tokens: the Secret is collected without asking the issuer. */
    @Test
    void tokensOfALoginThatIsStoredAfterTheRevocationAreRevoked() throws OAuthException {
        String query = logIn();
        beforeTheSecretIsWritten(
                () -> {
                    McpServer leaving = markAsDeleted();
                    assertThat(logins.revoke(leaving)).isEqualTo(new Logout(Revocation.NONE, ""));
                    removeFinalizer(leaving);
                });

        assertRefused(query);

        assertRevokedAndForgotten();
    }

    @Test
    void tokensOfALoginThatIsStoredBeforeTheFinalizerIsRemovedAreRevoked() throws OAuthException {
        String query = logIn();
        beforeTheSecretIsWritten(() -> logins.revoke(markAsDeleted()));

        assertRefused(query);

        assertRevokedAndForgotten();
    }

    /** The collector deletes the Secret of the request after the server. */
    @Test
    void tokensOfALoginWhoseSecretIsGoneAreRevoked() throws OAuthException {
        String query = logIn();
        beforeTheSecretIsWritten(
                () -> {
                    removeFinalizer(markAsDeleted());
                    client.delete(Secret.KIND, LoginSecrets.key(server), UNCONDITIONAL);
                });

        assertThatThrownBy(() -> finish(query))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("no login is in progress");

        assertRevokedAndForgotten();
        assertThat(client.find(Secret.KIND, LoginSecrets.key(server))).isEmpty();
    }

    @Test
    void loginOfAServerThatWasCreatedAgainMeanwhileIsRefused() throws OAuthException {
        String query = logIn();
        beforeTheSecretIsWritten(
                () -> {
                    removeFinalizer(markAsDeleted());
                    create();
                });

        assertRefused(query);

        assertRevokedAndForgotten();
    }

    @Test
    void noLoginBeginsOrFinishesAtAServerThatIsBeingDeleted() throws OAuthException {
        String query = logIn();
        markAsDeleted();

        assertRefused(query);

        assertThatThrownBy(() -> logins.begin(server, REDIRECT))
                .hasMessageContaining("it is being deleted");
        assertThat(issuer.requests())
                .noneMatch(
                        request -> "authorization_code".equals(request.form().get("grant_type")));
        assertThat(secrets.read(server).login()).isEqualTo(Optional.empty());
    }

    @Test
    void loginAtAServerThatStaysIsKept() throws OAuthException {
        Login login = finish(logIn());

        assertThat(secrets.read(server).login()).contains(login);
        assertThat(users.revoked()).isEmpty();
    }
}
