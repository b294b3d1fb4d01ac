package dev.orloj.server.tls;

import dev.orloj.server.certificate.CertifiedKey;

import org.apache.catalina.connector.Connector;

import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;

/** A port with TLS whose certificate can be replaced while it is open. Thread-safe. */
public final class HttpsPort {

    private final CertificateNames names;
    private final ServerSslContext tls;
    private final Connector connector;

    /**
     * @param number 0 for any free port
     * @param clientAuthorities which clients may have certificates of
     */
    public HttpsPort(
            InetAddress address,
            int number,
            CertificateNames names,
            CertifiedKey server,
            List<X509Certificate> clientAuthorities)
            throws GeneralSecurityException {
        this.names = names;
        this.tls = new ServerSslContext(server, clientAuthorities);
        this.connector = HttpsConnector.create(address, number, tls);
    }

    public Connector connector() {
        return connector;
    }

    /** Returns the names in the certificate. */
    public CertificateNames names() {
        return names;
    }

    /** Returns the number of the open port. */
    public int localPort() {
        return connector.getLocalPort();
    }

    /**
     * Presents another certificate to connections that are opened from now on, and other
     * authorities of clients.
     */
    public void replace(CertifiedKey renewed, List<X509Certificate> clientAuthorities) {
        tls.replace(renewed, clientAuthorities);
    }
}
