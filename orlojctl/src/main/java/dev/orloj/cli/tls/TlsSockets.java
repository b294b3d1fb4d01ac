package dev.orloj.cli.tls;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;

import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Opens connections by TLS. Safe for many threads. */
public final class TlsSockets {

    private final TlsSettings settings;
    private final SSLSocketFactory factory;

    private TlsSockets(TlsSettings settings, SSLSocketFactory factory) {
        this.settings = settings;
        this.factory = factory;
    }

    /**
     * @throws IllegalArgumentException when a certificate or the key cannot be read
     */
    public static TlsSockets of(TlsSettings settings) {
        if (settings.equals(TlsSettings.DEFAULT)) {
            return new TlsSockets(settings, HttpsURLConnection.getDefaultSSLSocketFactory());
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(settings), trust(settings), new SecureRandom());
            return new TlsSockets(settings, context.getSocketFactory());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("no TLS: " + e.getMessage(), e);
        }
    }

    private static KeyManager @Nullable [] keys(TlsSettings settings)
            throws GeneralSecurityException, IOException {
        String certificate = settings.certificate();
        String key = settings.key();
        if (certificate == null || key == null) {
            return null;
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try {
            store.setKeyEntry(
                    "client",
                    PemReader.key(key),
                    new char[0],
                    PemReader.certificates(certificate).toArray(Certificate[]::new));
        } catch (GeneralSecurityException e) {
            throw new GeneralSecurityException(
                    "client-certificate or client-key: " + e.getMessage(), e);
        }
        KeyManagerFactory managers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, new char[0]);
        return managers.getKeyManagers();
    }

    private static TrustManager @Nullable [] trust(TlsSettings settings)
            throws GeneralSecurityException, IOException {
        if (settings.isInsecure()) {
            return new TrustManager[] {new TrustAll()};
        }
        String authority = settings.authority();
        if (authority == null) {
            return null;
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try {
            int number = 0;
            for (Certificate certificate : PemReader.certificates(authority)) {
                store.setCertificateEntry("authority-" + number, certificate);
                number++;
            }
        } catch (GeneralSecurityException e) {
            throw new GeneralSecurityException("certificate-authority: " + e.getMessage(), e);
        }
        TrustManagerFactory managers =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        return managers.getTrustManagers();
    }

    /** Makes a connection that is not open yet use these settings. */
    public void secure(HttpsURLConnection connection) {
        if (settings.equals(TlsSettings.DEFAULT)) {
            return;
        }
        connection.setSSLSocketFactory(new NamedFactory());
        if (settings.isInsecure()) {
            connection.setHostnameVerifier((_, _) -> true);
        }
    }

    /** Begins TLS on an open connection. */
    public Socket secure(Socket plain, String host, int port) throws IOException {
        SSLSocket socket = (SSLSocket) factory.createSocket(plain, name(host), port, true);
        if (!settings.isInsecure()) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
        }
        socket.startHandshake();
        return socket;
    }

    private String name(String host) {
        String named = settings.serverName();
        return named == null ? host : named;
    }

    /** Creates sockets that expect the name of the settings. */
    private final class NamedFactory extends SSLSocketFactory {

        @Override
        public String[] getDefaultCipherSuites() {
            return factory.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return factory.getSupportedCipherSuites();
        }

        @Override
        public Socket createSocket(Socket plain, String host, int port, boolean autoClose)
                throws IOException {
            return factory.createSocket(plain, name(host), port, autoClose);
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return createSocket(new Socket(host, port), host, port, true);
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort)
                throws IOException {
            return createSocket(new Socket(host, port, local, localPort), host, port, true);
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return createSocket(new Socket(host, port), host.getHostName(), port, true);
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
                throws IOException {
            return createSocket(
                    new Socket(host, port, local, localPort), host.getHostName(), port, true);
        }
    }
}
