package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

import dev.orloj.runtime.testkit.FakeAuthorizationServer;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Answer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.server.certificate.TestCertificates;
import dev.orloj.server.mcp.McpProbe;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A server that gets the calls of each user with a token for this user, over REST and MCP. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenExchangeTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String PASSWORD = "changeit";
    private static final String CALL = "/apis/orloj.dev/v1/namespaces/default/tools/crm--echo/call";

    @TempDir static Path folder;
    @TempDir static Path data;

    private RSAKey key;
    private FakeAuthorizationServer issuer;
    private FakeHttpServer server;
    private OrlojdProcess orlojd;
    private String ann;
    private String ben;

    @BeforeAll
    void start() throws Exception {
        Path authority = folder.resolve("idp-ca.crt");
        KeyStore certificate = TestCertificates.server(authority, PASSWORD.toCharArray());
        issuer = FakeAuthorizationServer.start(tls(certificate));
        key = new RSAKeyGenerator(2048).keyID("one").generate();
        issuer.publish(new JWKSet(key));
        server = FakeHttpServer.start(FakeScript.wellBehaved().sessions());
        issuer.describeAt(server);
        server.guard(
                request ->
                        issuer.scopes(request) == null
                                ? new Answer(401, Map.of("WWW-Authenticate", "Bearer"), "")
                                : null);
        ann = tokenOf("ann");
        ben = tokenOf("ben");
        orlojd =
                OrlojdProcess.startWith(
                        List.of(
                                "-Djavax.net.ssl.trustStore=" + trust(authority),
                                "-Djavax.net.ssl.trustStorePassword=" + PASSWORD),
                        data,
                        "--https-port",
                        "0",
                        "--authentication-config",
                        configuration(authority).toString());
        apply();
        bind("corp:ann", "caller");
        bind("corp:ben", "caller");
    }

    @AfterAll
    void stop() throws InterruptedException {
        if (orlojd != null) {
            orlojd.close();
        }
        server.close();
        issuer.close();
    }

    private static SSLContext tls(KeyStore certificate) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(certificate, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private static Path trust(Path authority) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream pem = Files.newInputStream(authority)) {
            trusted.setCertificateEntry(
                    "idp", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        Path file = folder.resolve("trust.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            trusted.store(out, PASSWORD.toCharArray());
        }
        return file;
    }

    private Path configuration(Path authority) throws Exception {
        return Files.writeString(
                folder.resolve("authentication.yaml"),
                """
                apiVersion: apiserver.config.k8s.io/v1
                kind: AuthenticationConfiguration
                jwt:
                - issuer:
                    url: %s
                    audiences: [orloj]
                    certificateAuthority: |
                %s
                  claimMappings:
                    username: {claim: sub, prefix: "corp:"}
                """
                        .formatted(issuer.issuer(), Files.readString(authority).strip().indent(6)));
    }

    private String tokenOf(String user) throws Exception {
        SignedJWT token =
                new SignedJWT(
                        new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
                        new JWTClaimsSet.Builder()
                                .issuer(issuer.issuer())
                                .subject(user)
                                .audience("orloj")
                                .jwtID(UUID.randomUUID().toString())
                                .expirationTime(Date.from(Instant.now().plusSeconds(3_600)))
                                .build());
        token.sign(new RSASSASigner(key));
        issuer.users().accept(token.serialize(), user);
        return token.serialize();
    }

    private void apply() {
        RestClient owner = orlojd.client();
        owner.create(
                "default",
                "secrets",
                """
                apiVersion: orloj.dev/v1
                kind: Secret
                metadata: {name: crm-client}
                spec: {stringData: {value: "%s"}}
                """
                        .formatted(FakeAuthorizationServer.SECRET));
        owner.create(
                "default",
                "mcpservers",
                RunningOrlojd.http(
                        "crm",
                        server.endpoint(),
                        """
                        auth:
                          oauth:
                            grantType: urn:ietf:params:oauth:grant-type:token-exchange
                            clientId: "%s"
                            clientSecretRef: crm-client
                            issuer: "%s"
                        """
                                .formatted(FakeAuthorizationServer.CLIENT, issuer.issuer())
                                .indent(2)
                                .strip()));
        await().atMost(TIMEOUT).until(() -> phase().equals("Ready"));
    }

    private String phase() {
        return orlojd.client()
                .get(RestClient.collection("default", "mcpservers") + "/crm")
                .body()
                .at("/status/phase")
                .asString("");
    }

    private void bind(String user, String role) {
        orlojd.client()
                .post(
                        HttpsOrlojd.RBAC + "clusterrolebindings",
                        """
                        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
                         "metadata": {"name": "%s-%s"},
                         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "%2$s"},
                         "subjects": [{"kind": "User", "name": "%1$s"}]}\
                        """
                                .formatted(user, role))
                .expect(201);
        String token = user.endsWith("ann") ? ann : ben;
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                new RestClient(orlojd.url(), token)
                                                .get(RestClient.collection("default", "tools"))
                                                .code()
                                        == 200);
    }

    private Set<String> usersOfCalls() {
        return server.received("tools/call").stream().map(issuer::user).collect(Collectors.toSet());
    }

    @Test
    void eachUserCallsOverRestAndMcpAsThemselves() {
        new RestClient(orlojd.url(), ann).call("default", "crm--echo", "{}").expect(200);
        JsonNode answer = callOverMcp(ben);

        assertThat(answer.at("/result/content/0/text").asString()).as("%s", answer).isNotEmpty();
        assertThat(usersOfCalls()).containsExactlyInAnyOrder("ann", "ben");
        assertThat(server.received())
                .as("No token of a user reaches the server")
                .noneMatch(request -> request.headers().toString().contains(ann))
                .noneMatch(request -> request.headers().toString().contains(ben));
    }

    private JsonNode callOverMcp(String token) {
        return new McpProbe(URI.create(orlojd.url() + "/mcp/default/mcpservers/crm"))
                .post(
                        """
                        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params":
                         {"name": "echo", "arguments": {}, "_meta": {
                          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                          "io.modelcontextprotocol/clientInfo": {"name": "agent", "version": "1"},
                          "io.modelcontextprotocol/clientCapabilities": {}}}}\
                        """,
                        "Authorization",
                        "Bearer " + token,
                        "MCP-Protocol-Version",
                        "2026-07-28",
                        "Mcp-Method",
                        "tools/call",
                        "Mcp-Name",
                        "echo")
                .json();
    }

    @Test
    void callerWithoutATokenOfTheIssuerIsRefusedAndTheServerStaysReady() throws Exception {
        int before = server.received("tools/call").size();
        RestClient.Answer refused = orlojd.client().call("default", "crm--echo", "{}");

        assertThat(refused.code()).as(refused.text()).isEqualTo(403);
        assertThat(refused.body().path("message").asString())
                .contains("crm", "spec.auth.oauth.issuer", "was not called for you");
        assertThat(server.received("tools/call")).hasSize(before);
        assertThat(phase()).isEqualTo("Ready");
    }

    /** The owner may impersonate, but has no token of the user. */
    @Test
    void impersonatedUserHasNoToken() throws Exception {
        int before = server.received("tools/call").size();
        HttpsClient owner =
                new HttpsClient(
                        orlojd.url(),
                        SSLContext.getDefault(),
                        Files.readString(data.resolve("admin.token")).strip());

        HttpsClient.Answer refused =
                owner.post(CALL, "{\"arguments\": {}}", "Impersonate-User", "corp:ann");

        assertThat(refused.code()).as(refused.text()).isEqualTo(403);
        assertThat(refused.message()).contains("spec.auth.oauth.issuer");
        assertThat(server.received("tools/call")).hasSize(before);
    }

    @Test
    void noTokenIsInTheLog() throws Exception {
        new RestClient(orlojd.url(), ann).call("default", "crm--echo", "{}").expect(200);

        assertThat(Files.readString(OrlojdProcess.log(data)))
                .doesNotContain(ann, FakeAuthorizationServer.SECRET, "Bearer token-");
    }
}
