package dev.orloj.server.tls;

import dev.orloj.server.disconnect.ProbedHttpProtocol;

import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

import java.net.InetAddress;

/** Creates the connector of the HTTPS port, with the limits of the HTTP one. */
final class HttpsConnector {

    /** As the HTTP port has it, in the configuration of Tomcat. */
    private static final int ACCEPT_COUNT = 4_096;

    /** Tokens of issuers that name many groups have more than 8 KiB. */
    private static final int MAX_HEAD = 32 * 1024;

    private HttpsConnector() {}

    static Connector create(InetAddress address, int port, ServerSslContext tls) {
        ProbedHttpProtocol protocol = new ProbedHttpProtocol();
        protocol.setAddress(address);
        protocol.setPort(port);
        protocol.setSSLEnabled(true);
        protocol.setMaxKeepAliveRequests(-1);
        protocol.setAcceptCount(ACCEPT_COUNT);
        protocol.setMaxConnections(-1);
        protocol.setMaxHttpRequestHeaderSize(MAX_HEAD);
        protocol.setExecutor(new VirtualThreadExecutor("tomcat-https-"));
        SSLHostConfig host = new SSLHostConfig();
        host.setProtocols("TLSv1.3+TLSv1.2");
        host.setCertificateVerification(SSLHostConfig.CertificateVerification.OPTIONAL.name());
        SSLHostConfigCertificate certificate =
                new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        certificate.setSslContext(tls);
        host.addCertificate(certificate);
        protocol.addSslHostConfig(host);
        Connector connector = new Connector(protocol);
        connector.setScheme("https");
        connector.setSecure(true);
        connector.setMaxPostSize(0);
        connector.setURIEncoding("UTF-8");
        return connector;
    }
}
