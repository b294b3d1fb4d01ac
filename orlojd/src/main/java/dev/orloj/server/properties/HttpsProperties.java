package dev.orloj.server.properties;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the port that requires authentication.
 *
 * @param port 0 picks a free one; absent for no such port
 * @param address to listen on
 * @param externalUrl the URL in the kubeconfig, when clients reach the server under another name;
 *     empty for the address and the port of the server
 * @param san further host names and IP addresses for the certificate of the server
 * @param certificateFile PEM with a certificate of the server's own and those of its issuers;
 *     absent for one that orlojd issues
 * @param privateKeyFile PEM with the key of that certificate
 * @param clientCaFile PEM with further authorities that issue certificates of clients
 * @param checkPeriod how often the files are read again, and certificates renewed that are due
 */
@ConfigurationProperties("orloj.https")
public record HttpsProperties(
        @Nullable Integer port,
        @DefaultValue("0.0.0.0") InetAddress address,
        @DefaultValue("") String externalUrl,
        @DefaultValue List<String> san,
        @Nullable Path certificateFile,
        @Nullable Path privateKeyFile,
        @Nullable Path clientCaFile,
        @DefaultValue("30s") Duration checkPeriod) {

    public HttpsProperties {
        san = List.copyOf(san);
        if ((certificateFile == null) != (privateKeyFile == null)) {
            throw new InvalidConfigurationException(
                    "orloj.https.certificate-file (--tls-cert-file) and"
                            + " orloj.https.private-key-file (--tls-private-key-file) belong"
                            + " together: give both, or none");
        }
        if (!externalUrl.isEmpty() && !isExternalUrl(externalUrl)) {
            throw new InvalidConfigurationException(
                    "orloj.https.external-url (--external-url) is \"%s\"; give an https URL such as https://orloj.example.com:8443"
                            .formatted(externalUrl));
        }
    }

    /** Returns whether a text can be the URL of the server in a kubeconfig. */
    public static boolean isExternalUrl(String text) {
        try {
            URI url = URI.create(text);
            return "https".equals(url.getScheme())
                    && url.getHost() != null
                    && url.getUserInfo() == null
                    && url.getQuery() == null
                    && url.getFragment() == null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
