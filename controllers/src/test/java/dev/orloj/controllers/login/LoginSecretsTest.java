package dev.orloj.controllers.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.Secret;
import dev.orloj.api.testing.FaultyClient;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.login.LoginSecrets.Content;
import dev.orloj.runtime.oauth.AuthorizationRequest;
import dev.orloj.runtime.oauth.Login;

import org.junit.jupiter.api.Test;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

class LoginSecretsTest {

    private static final Instant NOW = Instant.parse("2026-11-27T12:00:00.123456789Z");
    private static final Login.Parties PARTIES =
            new Login.Parties(
                    URI.create("https://crm.example.com/mcp"),
                    "https://login.example.com",
                    new Login.Client("registered", "its secret", "client_secret_basic"),
                    "https://crm.example.com/mcp");
    private static final Login LOGIN = login("old token");
    private static final AuthorizationRequest REQUEST =
            new AuthorizationRequest(
                    "state",
                    "verifier",
                    "http://127.0.0.1:7777/callback",
                    NOW,
                    "https://login.example.com/authorize",
                    true,
                    PARTIES,
                    List.of("read"));

    private final FaultyClient client = new FaultyClient(new MemoryResourceClient(() -> NOW));
    private final LoginSecrets secrets = new LoginSecrets(client);
    private final McpServer server = server();
    private final ResourceKey key = LoginSecrets.key(server);

    private static Login login(String token) {
        return new Login(
                "id", NOW, PARTIES, List.of("read"), token, NOW, "refresh", Instant.EPOCH, "");
    }

    private static McpServer server() {
        return Json.MAPPER.readValue(
                """
                {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                 "metadata": {"namespace": "default", "name": "crm", "uid": "u"},
                 "spec": {"transport": "http", "endpoint": "https://crm.example.com/mcp",
                          "auth": {"oauth": {"grantType": "authorization_code"}}}}
                """,
                McpServer.class);
    }

    private void write(Content content) {
        secrets.update(server, _ -> content);
    }

    @Test
    void whatWasWrittenIsRead() {
        Content content = new Content(Optional.of(REQUEST), Optional.of(LOGIN));
        write(content);

        assertThat(secrets.read(server)).isEqualTo(content);
        Secret secret = client.get(Secret.KIND, key);
        assertThat(secret.spec().type()).isEqualTo(LoginSecrets.TYPE);
        assertThat(secret.metadata().controller().orElseThrow().name()).isEqualTo("crm");
        assertThat(secret.toString()).doesNotContain("old token", "refresh");
    }

    /** The refresh token of a renewal that is not stored is lost. */
    @Test
    void aLoginThatBeginsMeanwhileDoesNotPreventARenewal() {
        write(Content.NONE.with(LOGIN));
        Login.Store store = secrets.store(key);
        AtomicBoolean isFirst = new AtomicBoolean(true);
        client.failBefore(
                request -> {
                    if (request.verb() == FaultyClient.Verb.UPDATE
                            && isFirst.compareAndSet(true, false)) {
                        secrets.update(server, content -> content.with(REQUEST));
                    }
                });

        assertThat(store.replace(LOGIN, login("new token"))).isTrue();

        assertThat(secrets.read(server))
                .isEqualTo(new Content(Optional.of(REQUEST), Optional.of(login("new token"))));
    }

    @Test
    void aLoginThatWasReplacedIsNotRenewed() {
        write(Content.NONE.with(login("another token")));

        assertThat(secrets.store(key).replace(LOGIN, login("new token"))).isFalse();
        assertThat(secrets.store(key).find()).contains(login("another token"));
    }

    @Test
    void aLoginThatWasDeletedIsNotRenewed() {
        assertThat(secrets.store(key).replace(LOGIN, login("new token"))).isFalse();
        assertThat(client.find(Secret.KIND, key)).isEmpty();
    }

    @Test
    void theSameSecretIsTheSameStore() {
        assertThat(secrets.store(key)).isEqualTo(secrets.store(key));
    }

    @Test
    void aServerWithoutLoginsHasNoSecret() {
        McpServer other =
                Json.MAPPER.readValue(
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                         "metadata": {"namespace": "default", "name": "plain"},
                         "spec": {"transport": "http", "endpoint": "https://crm.example.com/mcp"}}
                        """,
                        McpServer.class);

        assertThatThrownBy(() -> LoginSecrets.key(other))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("spec.auth.oauth.grantType");
    }
}
