package dev.orloj.server.certificate;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Certificate authorities that a client trusts, in place of those of the system. */
public final class Authorities {

    private Authorities() {}

    /**
     * Reads certificates in PEM.
     *
     * @throws IllegalArgumentException when there is none, or one cannot be read
     */
    public static List<X509Certificate> read(String pem) {
        return Pem.certificates(pem);
    }

    /** Returns the TLS of a client that trusts only these authorities. */
    public static SSLContext context(List<X509Certificate> authorities)
            throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {trust(authorities)}, null);
        return context;
    }

    static X509ExtendedTrustManager trust(List<X509Certificate> authorities)
            throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, new char[0]);
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        return trust(store);
    }

    /** Returns the authorities that the Java runtime trusts. */
    static List<X509Certificate> ofSystem() throws GeneralSecurityException {
        return List.of(trust((KeyStore) null).getAcceptedIssuers());
    }

    /**
     * @param store null for the authorities of the system
     */
    private static X509ExtendedTrustManager trust(@Nullable KeyStore store)
            throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    }
}
