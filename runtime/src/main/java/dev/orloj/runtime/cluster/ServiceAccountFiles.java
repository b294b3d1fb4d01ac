package dev.orloj.runtime.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The identity with which orlojd calls the API server: the files that Kubernetes mounts into a Pod.
 * Thread-safe.
 */
final class ServiceAccountFiles {

    private final Path folder;

    /**
     * @param folder with {@code token} and {@code ca.crt}
     */
    ServiceAccountFiles(Path folder) {
        this.folder = folder;
    }

    /** Returns the token. Reads it each time, because the kubelet renews it about once an hour. */
    String token() {
        return read("token").strip();
    }

    private String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Returns a context that trusts only the authority of the cluster. */
    SSLContext trust() {
        Path file = folder.resolve("ca.crt");
        try (InputStream pem = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (Certificate authority :
                    CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry("ca-" + count++, authority);
            }
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw unreadable("ca.crt", e);
        }
    }

    private ClusterException unreadable(String file, Exception cause) {
        return new ClusterException(
                ClusterException.NO_ANSWER,
                "The service account of orlojd cannot be read: %s: %s; mount its token (chart: pods.enabled)"
                        .formatted(folder.resolve(file), cause.getClass().getSimpleName()),
                cause);
    }
}
