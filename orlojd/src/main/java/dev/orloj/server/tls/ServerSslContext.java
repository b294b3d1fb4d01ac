package dev.orloj.server.tls;

import dev.orloj.server.certificate.CertifiedKey;

import org.apache.tomcat.util.net.SSLContext;
import org.jspecify.annotations.Nullable;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;

/** The TLS of the server, whose certificate can be replaced while it runs. */
final class ServerSslContext implements SSLContext {

    private final CurrentCredential credential;
    private final AnyClient clients;
    private final javax.net.ssl.SSLContext context;

    ServerSslContext(CertifiedKey server, List<X509Certificate> clientAuthorities)
            throws GeneralSecurityException {
        this.credential = new CurrentCredential(server);
        this.clients = new AnyClient(clientAuthorities);
        this.context = javax.net.ssl.SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {credential}, new TrustManager[] {clients}, null);
    }

    void replace(CertifiedKey renewed, List<X509Certificate> clientAuthorities) {
        credential.replace(renewed);
        clients.replace(clientAuthorities);
    }

    /** Does nothing: the context is initialized by its constructor. */
    @Override
    public void init(
            KeyManager @Nullable [] keys,
            TrustManager @Nullable [] trusted,
            @Nullable SecureRandom random) {}

    @Override
    public void destroy() {}

    @Override
    public SSLSessionContext getServerSessionContext() {
        return context.getServerSessionContext();
    }

    @Override
    public SSLEngine createSSLEngine() {
        return context.createSSLEngine();
    }

    @Override
    public SSLServerSocketFactory getServerSocketFactory() {
        return context.getServerSocketFactory();
    }

    @Override
    public SSLParameters getSupportedSSLParameters() {
        return context.getSupportedSSLParameters();
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return credential.getCertificateChain(alias);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return clients.getAcceptedIssuers();
    }
}
