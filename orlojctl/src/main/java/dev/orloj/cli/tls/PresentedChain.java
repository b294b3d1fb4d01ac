package dev.orloj.cli.tls;

import dev.orloj.api.certificate.CertificateChain;

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
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** The certificates that a server presents, not verified yet. */
public record PresentedChain(CertificateChain chain) {

    private static final int LINE = 64;

    /**
     * Asks a server for its certificates, and sends it nothing.
     *
     * @param timeout for all of it, however the server spends the time
     * @throws SSLException when it does not speak TLS, or presents too many certificates
     * @throws IOException when it cannot be reached in time
     */
    public static PresentedChain of(String host, int port, Duration timeout) throws IOException {
        return within(timeout, plain -> read(plain, host, port, timeout));
    }

    private static PresentedChain read(Socket plain, String host, int port, Duration timeout)
            throws IOException {
        connect(plain, host, port, timeout);
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustAll()}, null);
            try (SSLSocket socket =
                    (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true)) {
                socket.startHandshake();
                return new PresentedChain(
                        new CertificateChain(
                                Arrays.stream(socket.getSession().getPeerCertificates())
                                        .map(X509Certificate.class::cast)
                                        .toList()));
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public Optional<X509Certificate> authority() {
        return chain.authority();
    }

    /** Returns who issued the last certificate of the path that starts with the server's. */
    public String issuer() {
        return chain.last().getIssuerX500Principal().toString();
    }

    /**
     * Verifies that an authority issued the certificate of the server, regardless of its name.
     *
     * @param authority null for those of the system
     * @throws CertificateException when it did not, or when a certificate is not valid now
     */
    public void verify(@Nullable X509Certificate authority) throws CertificateException {
        // The JDK takes what is trusted as valid, whatever its dates; kubectl does not.
        chain.certificates().getFirst().checkValidity();
        if (authority != null) {
            authority.checkValidity();
        }
        try {
            TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
            managers.init(authority == null ? null : storeOf(authority));
            X509TrustManager trust = (X509TrustManager) managers.getTrustManagers()[0];
            trust.checkServerTrusted(
                    chain.certificates().toArray(X509Certificate[]::new), "UNKNOWN");
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
     * @param timeout for all of it
     * @throws SSLException when the certificate is not for the host
     */
    public static void connect(String host, int port, Duration timeout, TlsSettings settings)
            throws IOException {
        within(
                timeout,
                plain -> {
                    connect(plain, host, port, timeout);
                    TlsSockets.of(settings).secure(plain, host, port).close();
                    return true;
                });
    }

    private static void connect(Socket plain, String host, int port, Duration timeout)
            throws IOException {
        plain.connect(new InetSocketAddress(host, port), Math.toIntExact(timeout.toMillis()));
    }

    private interface Conversation<T> {
        T with(Socket plain) throws IOException;
    }

    /** A timeout of the socket would start again with each byte of a slow server. */
    private static <T> T within(Duration timeout, Conversation<T> conversation) throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean isLate = new AtomicBoolean();
        Socket plain = new Socket();
        try (plain) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                isLate.set(!isOver(end, timeout));
                                if (isLate.get()) {
                                    close(plain);
                                }
                            });
            return conversation.with(plain);
        } catch (IOException e) {
            throw isLate.get() ? late(plain, e) : e;
        } finally {
            end.countDown();
        }
    }

    /** A server of plain HTTP may wait for a line that never ends. */
    private static IOException late(Socket plain, IOException cause) {
        return plain.isConnected()
                ? new SSLException("no answer in time", cause)
                : new SocketTimeoutException("Connect timed out");
    }

    private static boolean isOver(CountDownLatch end, Duration timeout) {
        try {
            return end.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed all the same.
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
