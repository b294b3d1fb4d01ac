package dev.orloj.server.access;

import dev.orloj.api.certificate.CertificateChain;
import dev.orloj.api.certificate.Fingerprint;
import dev.orloj.server.certificate.CertificateDirectory;
import dev.orloj.server.certificate.CertificateDirectory.Certificates;
import dev.orloj.server.certificate.CertifiedKey;
import dev.orloj.server.certificate.ClientCertificates;
import dev.orloj.server.certificate.KubeconfigWriter;
import dev.orloj.server.certificate.PeerTrust;
import dev.orloj.server.properties.HttpsProperties;
import dev.orloj.server.tls.HttpsPort;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Opens the HTTPS port, writes the kubeconfig of the owner once the port is known, and renews the
 * certificates while the server runs.
 */
final class HttpsServer
        implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>,
                ApplicationListener<WebServerInitializedEvent>,
                AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HttpsServer.class);

    private final HttpsProperties properties;
    private final CertificateDirectory directory;
    private final HttpsPort port;
    private final ClientCertificates clients;
    private final PeerTrust peers;
    private final Path kubeconfig;
    private final ScheduledExecutorService renewals =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("orloj-certificates").factory());
    private Certificates certificates;
    private String failure = "";
    private volatile String http = "";

    HttpsServer(
            HttpsProperties properties,
            CertificateDirectory directory,
            Certificates certificates,
            HttpsPort port,
            ClientCertificates clients,
            PeerTrust peers,
            Path kubeconfig) {
        this.properties = properties;
        this.directory = directory;
        this.certificates = certificates;
        this.port = port;
        this.clients = clients;
        this.peers = peers;
        this.kubeconfig = kubeconfig;
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.addAdditionalConnectors(port.connector());
    }

    @Override
    public void onApplicationEvent(WebServerInitializedEvent event) {
        http = http(event);
        try {
            writeKubeconfig();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        log.atInfo()
                .addKeyValue("url", url())
                .addKeyValue("kubeconfig", kubeconfig)
                .addKeyValue("authority", authority(certificates.server()))
                .log("HTTPS port is open");
        long period = properties.checkPeriod().toMillis();
        renewals.scheduleWithFixedDelay(this::renew, period, period, TimeUnit.MILLISECONDS);
    }

    private void renew() {
        try {
            Certificates current =
                    directory.prepare(port.names().names(), port.names().addresses());
            failure = "";
            if (!current.equals(certificates)) {
                use(current);
            }
            writeKubeconfig();
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            report(e.toString());
        }
    }

    private void use(Certificates current) throws GeneralSecurityException {
        boolean isServer = !current.server().equals(certificates.server());
        boolean isClients = !current.clientAuthorities().equals(certificates.clientAuthorities());
        peers.replace(current.server().chain());
        certificates = current;
        port.replace(current.server(), current.clientAuthorities());
        clients.replace(current.clientAuthorities());
        if (isServer) {
            log.atInfo()
                    .addKeyValue("notAfter", current.server().notAfter())
                    .addKeyValue("authority", authority(current.server()))
                    .log("HTTPS port has a new certificate");
        }
        if (isClients) {
            log.atInfo()
                    .addKeyValue("count", current.clientAuthorities().size())
                    .log("HTTPS port has other authorities of clients");
        }
    }

    /** Returns what {@code orlojctl config import} shows of the chain that the port presents. */
    private static String authority(CertifiedKey server) {
        return new CertificateChain(server.chain())
                .authority()
                .map(Fingerprint::of)
                .map(Fingerprint::toString)
                .orElse("none in the certificate file");
    }

    /** Once, and not at each try. */
    private void report(String error) {
        if (!error.equals(failure)) {
            failure = error;
            log.atWarn()
                    .addKeyValue("error", error)
                    .log(
                            "Certificates could not be read or renewed; the HTTPS port keeps its"
                                    + " own, and tries again");
        }
    }

    /** Returns the URL of the HTTP port; empty if other machines reach it, too. */
    private static String http(WebServerInitializedEvent event) {
        InetAddress address =
                event.getApplicationContext().getBean(ServerProperties.class).getAddress();
        return address != null && address.isLoopbackAddress()
                ? "http://%s:%d"
                        .formatted(
                                address instanceof Inet6Address
                                        ? "[::1]"
                                        : address.getHostAddress(),
                                event.getWebServer().getPort())
                : "";
    }

    private void writeKubeconfig() throws IOException, GeneralSecurityException {
        KubeconfigWriter.write(
                kubeconfig, url(), http, certificates.trusted(), certificates.administrator());
    }

    /** Returns where clients reach the port. */
    String url() {
        if (!properties.externalUrl().isEmpty()) {
            return properties.externalUrl();
        }
        InetAddress address = properties.address();
        String host =
                address.isAnyLocalAddress() || address.isLoopbackAddress()
                        ? "127.0.0.1"
                        : address.getHostAddress();
        return "https://%s:%d"
                .formatted(host.contains(":") ? "[" + host + "]" : host, port.localPort());
    }

    @Override
    public void close() {
        renewals.shutdownNow();
    }
}
