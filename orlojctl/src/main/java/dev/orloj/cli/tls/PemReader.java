package dev.orloj.cli.tls;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys. */
final class PemReader {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ((?:RSA |EC |ENCRYPTED )?PRIVATE KEY)-----([^-]+)-----END");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private PemReader() {}

    static Collection<? extends Certificate> certificates(String pem)
            throws GeneralSecurityException {
        Collection<? extends Certificate> certificates =
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(
                                new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException("there is no certificate in it");
        }
        return certificates;
    }

    static PrivateKey key(String pem) throws GeneralSecurityException {
        Matcher matcher = KEY.matcher(pem);
        if (!matcher.find()) {
            throw new GeneralSecurityException("there is no private key in it");
        }
        if (matcher.group(1).startsWith("ENCRYPTED")) {
            throw new GeneralSecurityException("the private key is encrypted");
        }
        try {
            byte[] der = Base64.getMimeDecoder().decode(matcher.group(2));
            return switch (matcher.group(1)) {
                case "RSA PRIVATE KEY" -> decode("RSA", Der.ofRsa(der));
                case "EC PRIVATE KEY" -> decode("EC", Der.ofEc(der));
                default -> decode(der);
            };
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("the private key is damaged", e);
        }
    }

    private static PrivateKey decode(byte[] pkcs8) throws GeneralSecurityException {
        for (String algorithm : ALGORITHMS) {
            try {
                return decode(algorithm, pkcs8);
            } catch (GeneralSecurityException e) {
                // one of the others
            }
        }
        throw new GeneralSecurityException("the private key is of no known kind");
    }

    private static PrivateKey decode(String algorithm, byte[] pkcs8)
            throws GeneralSecurityException {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    }
}
