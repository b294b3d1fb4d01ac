package dev.orloj.cli.tls;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;

import dev.orloj.api.testing.ManualClock;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/** A server whose certificate is for {@code orloj.test}, at 127.0.0.1; the keys are for tests. */
@Timeout(60)
@DisplayName("20.4: TLS by the settings of a kubeconfig")
class TlsConnectionTest {

    private static final String ANSWER =
            """
            {"apiVersion": "orloj.dev/v1", "kind": "McpServer", "gitVersion": "v9",
             "metadata": {"name": "a", "namespace": "default", "uid": "1"}}
            """;

    @TempDir private Path folder;

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpsServer server;

    private static String pem(String name) {
        try (InputStream in = TlsConnectionTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void start() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "server",
                PemReader.key(pem("rsa.pem")),
                new char[0],
                PemReader.certificates(pem("rsa-cert.pem")).toArray(Certificate[]::new));
        for (String client : List.of("rsa", "ec")) {
            store.setCertificateEntry(
                    client, PemReader.certificates(pem(client + "-cert.pem")).iterator().next());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), new SecureRandom());
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(
                new HttpsConfigurator(context) {
                    @Override
                    public void configure(HttpsParameters parameters) {
                        SSLParameters ssl = context.getDefaultSSLParameters();
                        ssl.setWantClientAuth(true);
                        parameters.setSSLParameters(ssl);
                    }
                });
        server.createContext(
                "/",
                exchange -> {
                    String client = "anonymous";
                    try {
                        client =
                                ((com.sun.net.httpserver.HttpsExchange) exchange)
                                        .getSSLSession()
                                        .getPeerPrincipal()
                                        .getName();
                    } catch (javax.net.ssl.SSLPeerUnverifiedException e) {
                        // no certificate
                    }
                    requests.add(
                            exchange.getRequestMethod()
                                    + " "
                                    + client
                                    + " "
                                    + exchange.getRequestHeaders().getFirst("Authorization"));
                    exchange.getRequestBody().readAllBytes();
                    byte[] body = ANSWER.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private CommandLineRun ctl(String cluster, String user, String... args) throws IOException {
        return ctl(Map.of(), cluster, user, args);
    }

    private CommandLineRun ctl(
            Map<String, String> variables, String cluster, String user, String... args)
            throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("config"),
                        """
                        apiVersion: v1
                        kind: Config
                        current-context: t
                        contexts:
                        - name: t
                          context: {cluster: t, user: t}
                        clusters:
                        - name: t
                          cluster: {server: "https://127.0.0.1:%d", %s}
                        users:
                        - name: t
                          user: {%s}
                        """
                                .formatted(server.getAddress().getPort(), cluster, user));
        Map<String, String> environment = new HashMap<>(variables);
        environment.put("KUBECONFIG", file.toString());
        return CommandLineRun.of(new ManualClock(), environment, "", args);
    }

    private static String base64(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private static String trusting() {
        return "certificate-authority-data: " + base64(pem("rsa-cert.pem"));
    }

    @Test
    void serverWithoutATrustedCertificateIsRefused() throws IOException {
        CommandLineRun run = ctl("tls-server-name: orloj.test", "", "version");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("no connection by https", "(context \"t\" of ");
        assertThat(requests).isEmpty();
    }

    @Test
    void certificateMustBeForTheServer() throws IOException {
        CommandLineRun wrong = ctl(trusting(), "", "version");
        CommandLineRun named = ctl(trusting() + ", tls-server-name: orloj.test", "", "version");

        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err()).contains("no connection by https");
        assertThat(named.err()).isEmpty();
        assertThat(named.out()).endsWith("Server: v9\n");
    }

    @Test
    void patchesHaveTheSameSettings() throws IOException {
        CommandLineRun wrong = ctl(trusting(), "", "apply", "-f", manifest());
        CommandLineRun named =
                ctl(
                        trusting() + ", tls-server-name: orloj.test",
                        "token: s3cret",
                        "apply",
                        "-f",
                        manifest());

        assertThat(wrong.err()).contains("no connection by https");
        assertThat(named.exitCode()).as(named.err()).isZero();
        assertThat(requests).contains("PATCH anonymous Bearer s3cret");
    }

    private String manifest() throws IOException {
        return Files.writeString(
                        folder.resolve("a.yaml"),
                        """
                        apiVersion: orloj.dev/v1
                        kind: McpServer
                        metadata: {name: a}
                        spec: {transport: stdio, command: npx}
                        """)
                .toString();
    }

    @Test
    void anyCertificateIsAcceptedWhereTheUserSaysSo() throws IOException {
        String insecure = "insecure-skip-tls-verify: true";

        assertThat(ctl(insecure, "", "version").out()).endsWith("Server: v9\n");
        assertThat(ctl(insecure, "", "apply", "-f", manifest()).exitCode()).isZero();
        assertThat(ctl(insecure + ", " + trusting(), "", "version").err())
                .contains("insecure-skip-tls-verify and certificate-authority exclude each other");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rsa.pem", "rsa-pkcs8.pem", "ec.pem", "ec-pkcs8.pem"})
    void clientShowsItsCertificate(String key) throws IOException {
        String certificate = key.startsWith("rsa") ? "rsa-cert.pem" : "ec-cert.pem";

        CommandLineRun run =
                ctl(
                        trusting() + ", tls-server-name: orloj.test",
                        withCertificate(certificate, key),
                        "version");

        assertThat(run.err()).isEmpty();
        assertThat(requests).containsExactly("GET CN=orloj.test null");
    }

    private static String withCertificate(String certificate, String key) {
        return "client-certificate-data: %s, client-key-data: %s"
                .formatted(base64(pem(certificate)), base64(pem(key)));
    }

    @Test
    void givenTokenReplacesTheCertificateOfTheContext() throws IOException {
        String cluster = trusting() + ", tls-server-name: orloj.test";
        String user = withCertificate("rsa-cert.pem", "rsa.pem");

        ctl(cluster, user, "version", "--api-token", "option");
        ctl(Map.of("ORLOJ_API_TOKEN", "variable"), cluster, user, "version");
        ctl(cluster, user, "apply", "-f", manifest(), "--api-token", "patch");

        assertThat(requests)
                .contains(
                        "GET anonymous Bearer option",
                        "GET anonymous Bearer variable",
                        "PATCH anonymous Bearer patch")
                .noneMatch(request -> request.contains("orloj.test"));
    }

    @Test
    void emptyTokenLeavesTheCertificateOfTheContext() throws IOException {
        ctl(
                Map.of("ORLOJ_API_TOKEN", ""),
                trusting() + ", tls-server-name: orloj.test",
                withCertificate("rsa-cert.pem", "rsa.pem"),
                "version");

        assertThat(requests).containsExactly("GET CN=orloj.test null");
    }

    @Test
    void givenTokenReplacesTheProgramOfTheContext() throws IOException {
        CommandLineRun run =
                ctl(
                        trusting() + ", tls-server-name: orloj.test",
                        "exec: {command: gke}",
                        "version",
                        "--api-token",
                        "option");

        assertThat(run.err()).isEmpty();
        assertThat(requests).containsExactly("GET anonymous Bearer option");
    }

    @Test
    void filesAreRelativeToTheirKubeconfig() throws IOException {
        Files.writeString(folder.resolve("ca.pem"), pem("rsa-cert.pem"));
        Files.writeString(folder.resolve("token"), "t0ken\n");

        CommandLineRun run =
                ctl(
                        "certificate-authority: ca.pem, tls-server-name: orloj.test",
                        "tokenFile: token",
                        "version");

        assertThat(run.err()).isEmpty();
        assertThat(requests).containsExactly("GET anonymous Bearer t0ken");
        assertThat(ctl("certificate-authority: no.pem", "", "version").err())
                .contains("certificate-authority of ", "cannot be read");
        assertThat(ctl("certificate-authority-data: bm8=", "", "version").err())
                .contains("no TLS: certificate-authority: ");
    }
}
