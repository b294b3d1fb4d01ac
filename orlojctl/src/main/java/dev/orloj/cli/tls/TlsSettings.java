package dev.orloj.cli.tls;

import org.jspecify.annotations.Nullable;

/**
 * Whom to trust, and who one is. The texts are PEM.
 *
 * @param authority trusted instead of the authorities of the system
 * @param certificate of this client, with its chain
 * @param key of the certificate
 * @param serverName the name in the certificate of the server; null for the host of the URL
 * @param isInsecure whether any certificate is accepted
 */
public record TlsSettings(
        @Nullable String authority,
        @Nullable String certificate,
        @Nullable String key,
        @Nullable String serverName,
        boolean isInsecure) {

    public static final TlsSettings DEFAULT = new TlsSettings(null, null, null, null, false);

    public TlsSettings {
        if (isInsecure && authority != null) {
            throw new IllegalArgumentException(
                    "insecure-skip-tls-verify and certificate-authority exclude each other");
        }
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException(
                    "client-certificate and client-key belong together: one is missing");
        }
    }

    @Override
    public String toString() {
        return "TlsSettings[...]"; // has a key in it
    }
}
