package dev.orloj.runtime.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.oauth.AuthorizationServer.LoginSupport;
import dev.orloj.runtime.testkit.FakeAuthorizationServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

class TokenEndpointTest {

    private static final Map<String, String> FORM =
            Map.of(
                    "grant_type", "client_credentials",
                    "resource", "https://crm.example.com/mcp",
                    "scope", "crm.read");

    private final FakeAuthorizationServer issuer = FakeAuthorizationServer.start();
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private final OAuthHttp http = new OAuthHttp(EndpointAddresses.DEFAULT, timer);
    private final TokenEndpoint tokens =
            new TokenEndpoint(
                    http, new ClientAuthentication("public", null, null, null), Instant::now);

    @AfterEach
    void stop() {
        http.close();
        timer.shutdownNow();
        issuer.close();
    }

    private AuthorizationServer server(String... methods) {
        return new AuthorizationServer(
                issuer.issuer(),
                URI.create(issuer.issuer() + "/token"),
                List.of(methods),
                new LoginSupport(null, null, null, true, false, List.of()));
    }

    /** Keycloak serves public clients, and leaves "none" out of its metadata. */
    @Test
    void aPublicClientNeedsNoMethodInTheMetadata() throws OAuthException {
        issuer.offerLogins().acceptClient("public");

        TokenEndpoint.Granted granted = tokens.request(server("client_secret_basic"), FORM);

        assertThat(granted.accessToken()).startsWith("token-");
        assertThat(issuer.requests())
                .singleElement()
                .satisfies(
                        sent -> {
                            assertThat(sent.form())
                                    .containsEntry("client_id", "public")
                                    .doesNotContainKey("client_secret");
                            assertThat(sent.authorization()).isEmpty();
                        });
    }

    @Test
    void aSecretGoesOnlyByAMethodOfTheMetadata() {
        TokenEndpoint confidential =
                new TokenEndpoint(
                        http,
                        new ClientAuthentication(
                                FakeAuthorizationServer.CLIENT,
                                FakeAuthorizationServer.SECRET,
                                null,
                                null),
                        Instant::now);

        assertThatThrownBy(() -> confidential.request(server("tls_client_auth"), FORM))
                .hasMessageContaining("authenticates clients by tls_client_auth only");
        assertThat(issuer.requests()).isEmpty();
    }

    /** Keycloak gives this error for a wrong or missing credential, too. */
    @Test
    void theRemedyForAnUnauthorizedClientNamesItsCredentialAndTheGrant() {
        issuer.refuse("unauthorized_client", "Invalid client credentials");

        assertThatThrownBy(() -> tokens.request(server(), FORM))
                .hasMessageContaining("clientSecretRef")
                .hasMessageContaining("allow the client this grant");
    }
}
