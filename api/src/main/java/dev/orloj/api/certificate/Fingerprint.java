package dev.orloj.api.certificate;

import dev.orloj.api.signature.Sha256;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The SHA-256 of a certificate, by which people compare certificates.
 *
 * @param hex 64 digits in lower case
 */
public record Fingerprint(String hex) {

    private static final String PREFIX = "sha256:";
    private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{64}");

    /** As orlojd logs it, as keytool and openssl print it, or the digits alone. */
    private static final Pattern LINE =
            Pattern.compile(
                    "(?:authority=)?(?:sha256: *|sha256 fingerprint=)?"
                            + "([0-9a-f]{64}|[0-9a-f]{2}(?::[0-9a-f]{2}){31})");

    private static final Pattern SHA_1 =
            Pattern.compile("sha1\\b.*|[0-9a-f]{40}|[0-9a-f]{2}(?::[0-9a-f]{2}){19}");

    public Fingerprint {
        if (!DIGITS.matcher(hex).matches()) {
            throw wrong();
        }
    }

    private static IllegalArgumentException wrong() {
        return new IllegalArgumentException(
                "a fingerprint is \"sha256:\" and 64 hexadecimal digits");
    }

    public static Fingerprint of(X509Certificate certificate) {
        try {
            return new Fingerprint(Sha256.hex(certificate.getEncoded()));
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("the certificate cannot be encoded", e);
        }
    }

    /**
     * Reads what {@link #toString} returns, the lines of keytool and openssl, or the digits alone,
     * in small letters or capitals.
     *
     * @throws IllegalArgumentException when it is something else
     */
    public static Fingerprint parse(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        if (SHA_1.matcher(lower).matches()) {
            throw new IllegalArgumentException(
                    "it is by SHA-1; take the one by SHA-256 (openssl x509 -noout -fingerprint"
                            + " -sha256)");
        }
        Matcher line = LINE.matcher(lower);
        if (!line.matches()) {
            throw wrong();
        }
        return new Fingerprint(line.group(1).replace(":", ""));
    }

    @Override
    public String toString() {
        return PREFIX + hex;
    }
}
