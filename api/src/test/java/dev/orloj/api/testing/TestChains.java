package dev.orloj.api.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Certificates for servers at 127.0.0.1, and those of their issuers, from files that {@code
 * chains/make} has made. All servers have the same key.
 */
public final class TestChains {

    private TestChains() {}

    /**
     * Returns certificates.
     *
     * @param names of files: {@code server} is of {@code intermediate}, which is of {@code root};
     *     {@code forged} names {@code intermediate} as its issuer, which it is not; {@code
     *     of-old-root} is of {@code old-root}, which has expired, as has {@code old-server}; {@code
     *     alone} is of no authority
     */
    public static List<X509Certificate> of(String... names) {
        return Stream.of(names).map(TestChains::certificate).toList();
    }

    /** Returns certificates as PEM. */
    public static String pem(String... names) {
        return Stream.of(names).map(name -> text(name + ".pem")).collect(Collectors.joining());
    }

    /** Returns one certificate. */
    public static X509Certificate certificate(String name) {
        try (InputStream in = TestChains.class.getResourceAsStream("chains/" + name + ".pem")) {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(name, e);
        }
    }

    /** Returns the key of the servers as PEM. */
    public static String keyPem() {
        return text("server.key");
    }

    /** Returns the key of the servers. */
    public static PrivateKey key() {
        try {
            byte[] content =
                    Base64.getMimeDecoder().decode(keyPem().replaceAll("-----[A-Z ]+-----", ""));
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(content));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(String file) {
        try (InputStream in = TestChains.class.getResourceAsStream("chains/" + file)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new IllegalStateException(file, e);
        }
    }
}
