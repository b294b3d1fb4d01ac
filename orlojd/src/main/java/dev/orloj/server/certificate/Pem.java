package dev.orloj.server.certificate;

import org.springframework.boot.ssl.pem.PemContent;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;

/** Writes and reads keys and certificates as PEM. */
final class Pem {

    private static final int LINE = 64;

    private Pem() {}

    static String of(List<X509Certificate> certificates) throws GeneralSecurityException {
        StringBuilder text = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            text.append(block("CERTIFICATE", certificate.getEncoded()));
        }
        return text.toString();
    }

    /** Returns the key as PKCS #8. */
    static String of(PrivateKey key) {
        return block("PRIVATE KEY", key.getEncoded());
    }

    private static String block(String type, byte[] content) {
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
                .formatted(
                        type,
                        Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content));
    }

    /**
     * @throws IllegalArgumentException when one of them is missing or cannot be read, or when the
     *     key is not that of the first certificate
     */
    static CertifiedKey credential(String certificates, String key) {
        List<X509Certificate> chain = certificates(certificates);
        PrivateKey read;
        try {
            read = PemContent.of(key).getPrivateKey();
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException("it has no private key that can be read", e);
        }
        if (read == null) {
            throw new IllegalArgumentException("it has no private key");
        }
        KeyMatch.require(read, chain.getFirst().getPublicKey());
        return new CertifiedKey(read, chain);
    }

    /**
     * @throws IllegalArgumentException when there is none
     */
    static List<X509Certificate> certificates(String text) {
        try {
            List<X509Certificate> chain = PemContent.of(text).getCertificates();
            if (!chain.isEmpty()) {
                return chain;
            }
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException("it has no certificate that can be read", e);
        }
        throw new IllegalArgumentException("it has no certificate");
    }
}
