package dev.orloj.server.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

/** Which replicas a replica sends requests to. */
class PeerTrustTest {

    private final CertificateAuthority authority = authority("orloj");
    private final List<HttpsServer> servers = new ArrayList<>();

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
    }

    private static CertificateAuthority authority(String name) {
        try {
            return CertificateAuthority.create(name, InstantSource.system());
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static CertifiedKey issued(CertificateAuthority by, String address) throws Exception {
        return by.issueServer(List.of("peer"), List.of(address));
    }

    /** Starts a replica with a certificate, and returns its address. */
    private URI serve(CertifiedKey credential) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, new char[0]);
        store.setKeyEntry(
                "server",
                credential.key(),
                new char[0],
                credential.chain().toArray(X509Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HttpsServer server =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        server.start();
        servers.add(server);
        return URI.create("https://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private static int get(PeerTrust trust, URI address) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().sslContext(trust.context()).build()) {
            return client.send(
                            HttpRequest.newBuilder(address).build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    @Test
    void replicaWithTheSameCertificateIsTrusted() throws Exception {
        CertifiedKey shared = issued(authority, "127.0.0.1");
        PeerTrust trust = new PeerTrust(List.of(shared.certificate()));

        assertThat(get(trust, serve(shared))).isEqualTo(204);
    }

    @Test
    void replicaWithACertificateOfTheSameIssuerIsTrusted() throws Exception {
        CertifiedKey own = issued(authority, "127.0.0.2");
        PeerTrust trust = new PeerTrust(List.of(own.certificate(), authority.certificate()));

        assertThat(get(trust, serve(issued(authority, "127.0.0.1")))).isEqualTo(204);
    }

    @Test
    void certificateForAnotherAddressIsRefused() throws Exception {
        CertifiedKey shared = issued(authority, "127.0.0.2");
        PeerTrust trust = new PeerTrust(shared.chain());
        URI address = serve(shared);

        assertThatThrownBy(() -> get(trust, address)).isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void certificateOfAStrangerIsRefused() throws Exception {
        PeerTrust trust = new PeerTrust(issued(authority, "127.0.0.1").chain());
        URI address = serve(issued(authority("stranger"), "127.0.0.1"));

        assertThatThrownBy(() -> get(trust, address)).isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void renewedCertificateIsTrustedFromThenOn() throws Exception {
        CertifiedKey renewed = issued(authority("next"), "127.0.0.1");
        PeerTrust trust = new PeerTrust(issued(authority, "127.0.0.1").chain());
        URI address = serve(renewed);

        trust.replace(renewed.chain());

        assertThat(get(trust, address)).isEqualTo(204);
    }
}
