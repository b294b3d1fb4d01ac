package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import dev.orloj.server.certificate.TestCertificates;
import dev.orloj.server.oidc.IdentityProvider;
import dev.orloj.server.postgres.TestPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A proxy that ends TLS, and asks orlojd under another name and port. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsProxyTest {

    private static final String METADATA = "/.well-known/oauth-protected-resource";
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir static Path data;
    @TempDir static Path folder;

    private HttpsServer proxy;
    private String url;
    private IdentityProvider provider;
    private TestPostgres.Database database;
    private HttpsOrlojd orlojd;
    private HttpsClient client;

    @BeforeAll
    void start() throws Exception {
        Path authority = folder.resolve("proxy-ca.crt");
        KeyStore certificate = TestCertificates.server(authority, PASSWORD);
        proxy = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.setHttpsConfigurator(new HttpsConfigurator(tls(certificate)));
        proxy.createContext("/", this::forward);
        proxy.setExecutor(command -> Thread.ofVirtual().start(command));
        proxy.start();
        url = "https://127.0.0.1:" + proxy.getAddress().getPort();
        provider = IdentityProvider.start(folder);
        Path configuration = folder.resolve("authentication.yaml");
        Files.writeString(configuration, provider.configuration());
        database = TestPostgres.freshDatabase();
        orlojd =
                HttpsOrlojd.start(
                        database,
                        data,
                        Map.of(
                                "orloj.security.insecure-allow-anonymous",
                                false,
                                "orloj.https.external-url",
                                url + "/",
                                "orloj.authentication.config-file",
                                configuration));
        client = new HttpsClient(url, tls(certificate));
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
        provider.close();
        proxy.stop(0);
    }

    /** For the proxy, and for a client that trusts it. */
    private static SSLContext tls(KeyStore certificate) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(certificate, PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("proxy", certificate.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** Asks the plain port, as a proxy beside orlojd does. */
    private void forward(HttpExchange exchange) throws IOException {
        try (exchange;
                HttpClient plain = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> answer =
                    plain.send(
                            HttpRequest.newBuilder(
                                            URI.create(
                                                    orlojd.orlojd().client().url()
                                                            + exchange.getRequestURI()))
                                    .method(
                                            exchange.getRequestMethod(),
                                            HttpRequest.BodyPublishers.ofByteArray(
                                                    exchange.getRequestBody().readAllBytes()))
                                    .header("Content-Type", "application/json")
                                    .header("X-Forwarded-Proto", "https")
                                    .build(),
                            HttpResponse.BodyHandlers.ofByteArray());
            answer.headers()
                    .firstValue("WWW-Authenticate")
                    .ifPresent(
                            challenge ->
                                    exchange.getResponseHeaders()
                                            .set("WWW-Authenticate", challenge));
            exchange.sendResponseHeaders(answer.statusCode(), 0);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @DisplayName("Mistake 14: behind a TLS proxy, the resource is the URL that the client used")
    @CsvSource({
        "/mcp, /mcp",
        "/mcp/, /mcp",
        "/mcp/web, /mcp/web",
        "/mcp/web/mcpservers/s, /mcp/web/mcpservers/s",
    })
    void resourceIsTheUrlThatTheClientUsed(String path, String resource) throws Exception {
        HttpsClient.Answer refused = client.post(path, "{}");
        String document = url + METADATA + resource;

        assertThat(refused.code()).as(refused.text()).isEqualTo(401);
        assertThat(refused.header("WWW-Authenticate"))
                .contains("resource_metadata=\"" + document + "\"");
        assertThat(client.get(document.substring(url.length())).json().path("resource").asString())
                .isEqualTo(url + resource);
    }
}
