package dev.orloj.cli.tls;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * The certificates that a server presents, which nobody has verified yet.
 *
 * @param certificates that of the server first, then those of its issuers
 */
public record PresentedChain(List<X509Certificate> certificates) {

    private static final int LINE = 64;

    /**
     * Asks a server for its certificates, and sends it nothing.
     *
     * @throws SSLException when it does not speak TLS
     * @throws IOException when it cannot be reached in time
     */
    public static PresentedChain of(String host, int port, Duration timeout) throws IOException {
        try (Socket plain = connect(host, port, timeout)) {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustAll()}, null);
            try (SSLSocket socket =
                    (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true)) {
                shakeHands(socket);
                return new PresentedChain(
                        Arrays.stream(socket.getSession().getPeerCertificates())
                                .map(X509Certificate.class::cast)
                                .toList());
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A server of plain HTTP may wait for a line that never ends. */
    private static void shakeHands(SSLSocket socket) throws IOException {
        try {
            socket.startHandshake();
        } catch (SocketTimeoutException e) {
            throw new SSLException("no answer in time", e);
        }
    }

    /**
     * Returns the authority: the last certificate, if it may issue others or is the only one and
     * issued by itself.
     */
    public Optional<X509Certificate> authority() {
        X509Certificate last = certificates.getLast();
        boolean isOwnIssuer = last.getSubjectX500Principal().equals(last.getIssuerX500Principal());
        return last.getBasicConstraints() >= 0 || isOwnIssuer
                ? Optional.of(last)
                : Optional.empty();
    }

    /**
     * Verifies that an authority issued the certificate of the server, regardless of its name.
     *
     * @param authority null for those of the system
     * @throws CertificateException when it did not, or when a certificate is not valid now
     */
    public void verify(@Nullable X509Certificate authority) throws CertificateException {
        try {
            TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
            managers.init(authority == null ? null : storeOf(authority));
            X509TrustManager trust = (X509TrustManager) managers.getTrustManagers()[0];
            trust.checkServerTrusted(certificates.toArray(X509Certificate[]::new), "UNKNOWN");
        } catch (CertificateException e) {
            throw e;
        } catch (GeneralSecurityException | IOException e) {
            throw new CertificateException(e);
        }
    }

    private static KeyStore storeOf(Certificate authority)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("authority", authority);
        return store;
    }

    /**
     * Opens a connection as later commands will, which verifies the name of the server, too.
     *
     * @throws SSLException when the certificate is not for the host
     */
    public static void connect(String host, int port, Duration timeout, TlsSettings settings)
            throws IOException {
        try (Socket plain = connect(host, port, timeout)) {
            TlsSockets.of(settings).secure(plain, host, port).close();
        }
    }

    private static Socket connect(String host, int port, Duration timeout) throws IOException {
        Socket socket = new Socket();
        try {
            int millis = Math.toIntExact(timeout.toMillis());
            socket.setSoTimeout(millis);
            socket.connect(new InetSocketAddress(host, port), millis);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Returns a certificate as PEM. */
    public static String pem(X509Certificate certificate) {
        try {
            return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
                    .formatted(
                            Base64.getMimeEncoder(LINE, new byte[] {'\n'})
                                    .encodeToString(certificate.getEncoded()));
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
