package dev.orloj.server.tls;

import java.net.Socket;
import java.security.cert.X509Certificate;
import java.util.List;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Completes the handshake with every client. Whether its certificate counts is decided for each
 * request, which then gets 401 instead of a broken connection. Clients see which authorities are
 * meant, and send no certificate of another one.
 */
final class AnyClient extends X509ExtendedTrustManager {

    private volatile List<X509Certificate> authorities;

    AnyClient(List<X509Certificate> authorities) {
        this.authorities = List.copyOf(authorities);
    }

    void replace(List<X509Certificate> renewed) {
        authorities = List.copyOf(renewed);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.toArray(X509Certificate[]::new);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
        throw noClient();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
        throw noClient();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
        throw noClient();
    }

    private static UnsupportedOperationException noClient() {
        return new UnsupportedOperationException("only for the server's side of connections");
    }
}
