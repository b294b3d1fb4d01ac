package dev.orloj.runtime.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.network.Origin;
import dev.orloj.runtime.oauth.ClientAuthentication;
import dev.orloj.runtime.oauth.OAuthException;
import dev.orloj.runtime.oauth.OAuthFailure;
import dev.orloj.runtime.oauth.OAuthSettings;
import dev.orloj.runtime.testkit.Engines;
import dev.orloj.runtime.testkit.FakeAuthorizationServer;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Answer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.ServerRequest;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.TransportListener;
import dev.orloj.runtime.transport.standard.StandardTransports;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.Supervisor;

import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

class OAuthTransportTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String RESOURCE_METADATA = "/.well-known/oauth-protected-resource/mcp";

    private final Supervisor supervisor = new Supervisor();
    private final StandardTransports transports =
            new StandardTransports(supervisor, Engines.unused());
    private final LogBuffer log = new LogBuffer(InstantSource.system());
    private final CompletableFuture<TransportException> lost = new CompletableFuture<>();
    private final FakeAuthorizationServer issuer = FakeAuthorizationServer.start();
    private final FakeHttpServer server =
            FakeHttpServer.start(FakeScript.wellBehaved().sessions().getStream());
    private final ObjectNode resource = Json.MAPPER.createObjectNode();
    private @Nullable Transport opened;

    @BeforeEach
    void serverAsksForTokens() {
        resource.put("resource", server.endpoint().toString());
        resource.putArray("authorization_servers").add(issuer.issuer());
        server.serve(RESOURCE_METADATA, resource::toString);
        server.guard(this::examine);
    }

    @AfterEach
    void stop() {
        if (opened != null) {
            opened.close();
        }
        transports.close();
        server.close();
        issuer.close();
        supervisor.close();
    }

    /** As servers do that need the scope "tools" for everything, and "write" for one tool. */
    private @Nullable Answer examine(FakeHttpServer.Received request) {
        Set<String> scopes = issuer.scopes(request);
        if (scopes == null) {
            return challenge(401, "scope=\"tools\"");
        }
        boolean writes = request.body().at("/params/name").asString("").equals("exotic");
        return writes && !scopes.contains("write")
                ? challenge(403, "error=\"insufficient_scope\", scope=\"write\"")
                : null;
    }

    private Answer challenge(int status, String parameters) {
        String metadata = server.endpoint().resolve(RESOURCE_METADATA).toString();
        return new Answer(
                status,
                Map.of(
                        "WWW-Authenticate",
                        "Bearer resource_metadata=\"%s\", %s".formatted(metadata, parameters)),
                "");
    }

    /** Mistake 6: a credential on some methods and not on others. */
    @Test
    void everyRequestOfASessionCarriesTheToken() throws InterruptedException {
        Transport transport = open(pinned());
        initialize(transport);
        transport.notify("notifications/initialized", null);
        await().until(() -> server.listeners() == 1);
        assertThat(call(transport, "echo")).isEqualTo("echo");
        transport.close();

        assertThat(server.received().stream().map(FakeHttpServer.Received::httpMethod))
                .contains("POST", "GET", "DELETE");
        assertThat(server.received().subList(1, server.received().size()))
                .allSatisfy(request -> assertThat(issuer.scopes(request)).contains("tools"));
        assertThat(issuer.requests()).hasSize(1);
        assertThat(issuer.requests().getFirst().form())
                .containsEntry("grant_type", "client_credentials")
                .containsEntry("resource", server.endpoint().toString())
                .containsEntry("scope", "tools")
                .doesNotContainKey("client_secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"client_secret_basic", "client_secret_post"})
    void theClientAuthenticatesItselfAsTheMetadataSays(String method) throws InterruptedException {
        issuer.authenticatesBy(method);

        initialize(open(pinned()));

        assertThat(issuer.requests()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theClientSignsAssertions(boolean pem) throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
        issuer.accept(key.toPublicJWK());

        initialize(
                open(
                        settings(
                                new ClientAuthentication(
                                        FakeAuthorizationServer.CLIENT,
                                        null,
                                        pem ? pem(key) : key.toJSONString(),
                                        null),
                                "")));

        assertThat(issuer.requests().getFirst().form()).doesNotContainKey("client_secret");
    }

    private static String pem(ECKey key) throws JOSEException {
        return "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
                .formatted(Base64.getMimeEncoder().encodeToString(key.toPrivateKey().getEncoded()));
    }

    @Test
    void sessionsOfAServerShareTheToken() throws InterruptedException {
        Transport first = open(pinned());
        initialize(first);
        first.close();
        initialize(open(pinned()));

        assertThat(issuer.requests()).hasSize(1);
    }

    @Test
    void aRevokedTokenIsReplaced() throws InterruptedException {
        Transport transport = open(pinned());
        initialize(transport);
        issuer.revokeAll();

        assertThat(call(transport, "echo")).isEqualTo("echo");
        assertThat(issuer.requests()).hasSize(2);
    }

    @Test
    void aCallThatNeedsMoreScopesGetsATokenWithAll() throws InterruptedException {
        Transport transport = open(pinned());
        initialize(transport);

        call(transport, "exotic");
        assertThat(call(transport, "echo")).isEqualTo("echo");

        assertThat(issuer.requests()).hasSize(2);
        assertThat(issuer.requests().getLast().form()).containsEntry("scope", "tools write");
    }

    @Test
    void aScopeThatIsNotGivenFailsOnlyTheCallThatNeedsIt() throws InterruptedException {
        Transport transport = open(pinned());
        initialize(transport);
        issuer.refuse("invalid_scope", "not for you");

        assertThatThrownBy(() -> call(transport, "exotic"))
                .hasMessageContainingAll(
                        "needs the scope \"write\"", "invalid_scope", "not for you");
        assertThat(call(transport, "echo")).isEqualTo("echo");
        assertThat(lost).isNotDone();
    }

    /** Mistake 15: the server refuses what the authorization server issues for it. */
    @Test
    void aServerThatRefusesNewTokensGetsAtMostThreeRequests() {
        server.guard(_ -> challenge(401, "error=\"invalid_token\""));
        Transport transport = open(pinned());

        assertFails(transport, OAuthFailure.TOKEN_REJECTED)
                .hasMessageContainingAll("audience", "spec.auth.oauth.resource");
        assertFails(transport, OAuthFailure.TOKEN_REJECTED);

        assertThat(server.received().size()).isLessThanOrEqualTo(3);
        assertThat(issuer.requests()).hasSize(1);
    }

    @Test
    void aSessionEndsWhenItsTokenCannotBeReplaced() throws InterruptedException {
        Transport transport = open(pinned());
        initialize(transport);
        issuer.revokeAll();
        issuer.refuse("invalid_client", "the client was deleted");

        assertFails(transport, OAuthFailure.TOKEN_FAILED)
                .hasMessageContainingAll("the client was deleted", "clientSecretRef");
        assertThat(lost.join()).hasMessageContaining("invalid_client");
    }

    /** Mistake 16: a server names an authorization server that the secret is not for. */
    @Test
    void noCredentialGoesToAnIssuerThatOnlyTheServerNames() {
        assertFails(open(settings(secret(), "")), OAuthFailure.ISSUER_REFUSED)
                .hasMessageContaining("spec.auth.oauth.issuer: " + issuer.issuer());
        assertThat(issuer.requests()).isEmpty();
    }

    /** Mistake 16: a server that is its own issuer, with the token endpoint of another host. */
    @Test
    void noCredentialGoesToATokenEndpointOnAnotherHost() {
        String own = Origin.of(server.endpoint()).text();
        resource.putArray("authorization_servers").add(own);
        server.serve(
                "/.well-known/oauth-authorization-server",
                () ->
                        "{\"issuer\": \"%s\", \"token_endpoint\": \"%s/token\"}"
                                .formatted(own, issuer.issuer()));

        assertFails(open(settings(secret(), "")), OAuthFailure.ISSUER_REFUSED)
                .hasMessageContaining("client secret was not sent");
        assertThat(issuer.requests()).isEmpty();
    }

    @Test
    void noCredentialGoesToAnotherIssuerThanThatOfTheManifest() {
        assertFails(
                        open(settings(secret(), "https://login.example.com")),
                        OAuthFailure.ISSUER_REFUSED)
                .hasMessageContainingAll(issuer.issuer(), "https://login.example.com");
        assertThat(issuer.requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "issuer, https://login.example.com",
        "token_endpoint, http://login.example.com/token",
        "token_endpoint, file:///etc/passwd",
        "token_endpoint, javascript:alert(1)"
    })
    void noCredentialGoesWhereMetadataIsWrong(String field, String value) {
        issuer.metadata().put(field, value);

        assertFails(open(pinned()), OAuthFailure.DISCOVERY_FAILED);
        assertThat(issuer.requests()).isEmpty();
    }

    /** Mistake 16: an authorization server at a metadata service of a cloud. */
    @ParameterizedTest
    @ValueSource(strings = {"169.254.169.254", "[::ffff:169.254.169.254]", "[fe80::1]"})
    void linkLocalAuthorizationServersAreNotConnectedTo(String host) {
        resource.putArray("authorization_servers").add("https://" + host);

        assertFails(open(settings(secret(), "")), OAuthFailure.DISCOVERY_FAILED)
                .hasMessageContainingAll("link-local", "--endpoint-allow");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://other.example.com/mcp", "http://127.0.0.1/mcp", "mcp"})
    void metadataOfAnotherResourceIsRefused(String other) {
        resource.put("resource", other);

        assertFails(open(pinned()), OAuthFailure.DISCOVERY_FAILED)
                .hasMessageContainingAll(other, "spec.auth.oauth.resource");
        assertThat(issuer.requests()).isEmpty();
    }

    @Test
    void tokensDoNotFollowARedirectToAnotherOrigin() throws InterruptedException {
        Transport transport = open(pinned());
        initialize(transport);
        server.answerNext(
                "tools/call", new Answer(307, Map.of("Location", issuer.issuer() + "/stolen"), ""));

        assertThatThrownBy(() -> call(transport, "echo")).hasMessageContaining("HTTP 307");
        assertThat(issuer.fetched()).doesNotContain("/stolen");
    }

    /** Servers echo what they refuse. */
    @Test
    void messagesShowNeitherTheTokenNorTheSecret() throws InterruptedException {
        Transport transport = open(pinned());
        initialize(transport);
        String token =
                server.received("initialize").getLast().headers().getOrDefault("authorization", "");
        server.answerNext("tools/call", Answer.of(400, "text/plain", "bad token " + token));
        assertThatThrownBy(() -> call(transport, "echo"))
                .hasMessageContaining("bad token Bearer ***");

        issuer.revokeAll();
        issuer.refuse("invalid_client", "no " + FakeAuthorizationServer.SECRET);
        assertThatThrownBy(() -> call(transport, "echo"))
                .hasMessageNotContaining(FakeAuthorizationServer.SECRET)
                .hasMessageContaining("***");
    }

    private AbstractThrowableAssert<?, ?> assertFails(Transport transport, OAuthFailure failure) {
        return assertThatThrownBy(() -> initialize(transport))
                .isInstanceOf(TransportException.class)
                .matches(e -> !((TransportException) e).delivered())
                .satisfies(
                        e ->
                                assertThat(OAuthException.in(e).map(OAuthException::failure))
                                        .contains(failure));
    }

    private OAuthSettings pinned() {
        return settings(secret(), issuer.issuer());
    }

    private static ClientAuthentication secret() {
        return new ClientAuthentication(
                FakeAuthorizationServer.CLIENT, FakeAuthorizationServer.SECRET, null, null);
    }

    private static OAuthSettings settings(ClientAuthentication client, String pinnedIssuer) {
        return new OAuthSettings("default/crm", client, pinnedIssuer, "", List.of(), "");
    }

    private Transport open(OAuthSettings settings) {
        Transport transport =
                transports.create(
                        new ServerAddress.Http(server.endpoint(), Map.of(), settings), log, "crm");
        opened = transport;
        try {
            transport.open(
                    new TransportListener() {
                        @Override
                        public void onNotification(String method, @Nullable JsonNode params) {}

                        @Override
                        public void onRequest(ServerRequest request) {}

                        @Override
                        public void onClosed(TransportException cause) {
                            lost.complete(cause);
                        }
                    });
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return transport;
    }

    private static void initialize(Transport transport) throws InterruptedException {
        transport.request("initialize", Json.MAPPER.createObjectNode(), TIMEOUT);
        transport.negotiated(ProtocolRevision.V2025_11_25);
    }

    private static String call(Transport transport, String tool) throws InterruptedException {
        ObjectNode params = Json.MAPPER.createObjectNode().put("name", tool);
        params.putObject("arguments");
        return transport.request("tools/call", params, TIMEOUT).at("/content/0/text").asString("");
    }
}
