package dev.orloj.api.certificate;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The SHA-256 of a certificate, by which people compare certificates.
 *
 * @param hex 64 digits in lower case
 */
public record Fingerprint(String hex) {

    private static final String PREFIX = "sha256:";
    private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{64}");

    public Fingerprint {
        if (!DIGITS.matcher(hex).matches()) {
            throw new IllegalArgumentException(
                    "a fingerprint is \"sha256:\" and 64 hexadecimal digits");
        }
    }

    public static Fingerprint of(X509Certificate certificate) {
        try {
            return new Fingerprint(
                    HexFormat.of()
                            .formatHex(
                                    MessageDigest.getInstance("SHA-256")
                                            .digest(certificate.getEncoded())));
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("the certificate cannot be encoded", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Reads {@code sha256:} and the digits; openssl puts colons between them, and capitals.
     *
     * @throws IllegalArgumentException when it is something else
     */
    public static Fingerprint parse(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        String digits = lower.startsWith(PREFIX) ? lower.substring(PREFIX.length()) : lower;
        return new Fingerprint(digits.replace(":", ""));
    }

    @Override
    public String toString() {
        return PREFIX + hex;
    }
}
