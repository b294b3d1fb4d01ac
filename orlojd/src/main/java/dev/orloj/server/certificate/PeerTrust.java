package dev.orloj.server.certificate;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts other replicas: those with a certificate of an authority of the system, and those that
 * have the certificate of this replica or one of its issuers. The name in the certificate has to be
 * that of the address, too. Replicas with one certificate file therefore need no further authority.
 * Thread-safe.
 */
public final class PeerTrust extends X509ExtendedTrustManager {

    private volatile X509ExtendedTrustManager trusted;

    /**
     * @param chain the certificate of this replica, then those of its issuers
     */
    public PeerTrust(List<X509Certificate> chain) throws GeneralSecurityException {
        this.trusted = withSystem(chain);
    }

    private static X509ExtendedTrustManager withSystem(List<X509Certificate> chain)
            throws GeneralSecurityException {
        List<X509Certificate> authorities = new ArrayList<>(Authorities.ofSystem());
        authorities.addAll(chain);
        return Authorities.trust(authorities);
    }

    /** Trusts another chain in connections that are opened from now on. */
    public void replace(List<X509Certificate> chain) throws GeneralSecurityException {
        trusted = withSystem(chain);
    }

    /** Returns the TLS of a client with this trust. */
    public SSLContext context() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {this}, null);
        return context;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        trusted.checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        trusted.checkServerTrusted(chain, type, socket);
    }

    /** Refuses: without a connection there is no name to compare. */
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw new CertificateException("the name of the server is not known");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
        throw noServer();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
        throw noServer();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
        throw noServer();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trusted.getAcceptedIssuers();
    }

    private static UnsupportedOperationException noServer() {
        return new UnsupportedOperationException("only for the client's side of connections");
    }
}
