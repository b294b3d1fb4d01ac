package dev.orloj.cli.tls;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import dev.orloj.api.certificate.Fingerprint;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Map;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A server whose certificate is for {@code orloj.test}, at 127.0.0.1. */
@Timeout(60)
class ImportContextTest {

    @TempDir private Path folder;

    private HttpsServer server;

    private static String pem(String name) throws IOException {
        try (InputStream in = ImportContextTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static X509Certificate certificate(String name) throws Exception {
        return (X509Certificate) PemReader.certificates(pem(name)).iterator().next();
    }

    @BeforeEach
    void start() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "server",
                PemReader.key(pem("rsa.pem")),
                new char[0],
                new Certificate[] {certificate("rsa-cert.pem")});
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        server = HttpsServer.create(loopback(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.start();
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private CommandLineRun run(int port, String... more) {
        String[] args = new String[more.length + 3];
        args[0] = "config";
        args[1] = "import";
        args[2] = "127.0.0.1:" + port;
        System.arraycopy(more, 0, args, 3, more.length);
        return CommandLineRun.of(
                new ManualClock(), Map.of("KUBECONFIG", file().toString()), "", args);
    }

    private Path file() {
        return folder.resolve("config");
    }

    private int port() {
        return server.getAddress().getPort();
    }

    @Test
    void serverWithAnotherAuthorityIsRefusedWithBothFingerprints() throws Exception {
        Fingerprint wanted = Fingerprint.of(certificate("ec-cert.pem"));

        CommandLineRun run = run(port(), "--fingerprint", wanted.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains(
                        wanted.toString(),
                        Fingerprint.of(certificate("rsa-cert.pem")).toString(),
                        "nothing was written");
        assertThat(file()).doesNotExist();
    }

    @Test
    void withoutATerminalTheFingerprintIsShownAndRequired() throws Exception {
        CommandLineRun run = run(port());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("give --fingerprint " + Fingerprint.of(certificate("rsa-cert.pem")));
        assertThat(file()).doesNotExist();
    }

    @Test
    void certificateForAnotherNameIsRefusedWithTheRemedy() throws Exception {
        CommandLineRun run =
                run(
                        port(),
                        "--fingerprint",
                        Fingerprint.of(certificate("rsa-cert.pem")).toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("is not for \"127.0.0.1\"", "--tls-san 127.0.0.1");
        assertThat(file()).doesNotExist();
    }

    @Test
    void portWithoutTlsIsNamed() throws IOException {
        HttpServer plain = HttpServer.create(loopback(), 0);
        plain.start();
        try {
            CommandLineRun run = run(plain.getAddress().getPort());

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).contains("does not answer with TLS", "--https-port");
        } finally {
            plain.stop(0);
        }
    }

    @Test
    void refusedConnectionIsNamed() {
        int port = port();
        server.stop(0);

        CommandLineRun run = run(port);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("cannot reach 127.0.0.1:" + port, "connection refused");
    }
}
