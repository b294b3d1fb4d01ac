package dev.orloj.runtime.network;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * The scheme, host and port of a URL.
 *
 * @param scheme {@code http} or {@code https}
 * @param host in lower case; an IPv6 address is in brackets
 */
public record Origin(String scheme, String host, int port) {

    /** Returns the URL of a text if it is one of http or https, with a host and nothing secret. */
    public static Optional<URI> url(String text) {
        try {
            URI uri = new URI(text);
            boolean isHttp =
                    "https".equalsIgnoreCase(uri.getScheme())
                            || "http".equalsIgnoreCase(uri.getScheme());
            return isHttp
                            && uri.getHost() != null
                            && uri.getRawUserInfo() == null
                            && uri.getRawFragment() == null
                    ? Optional.of(uri)
                    : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    public static Origin of(URI uri) {
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        int usual = scheme.equals("https") ? 443 : 80;
        return new Origin(
                scheme,
                uri.getHost().toLowerCase(Locale.ROOT),
                uri.getPort() < 0 ? usual : uri.getPort());
    }

    public boolean isEncrypted() {
        return scheme.equals("https");
    }

    /** Returns whether only this machine receives what is sent there. */
    public boolean isLoopback() {
        return host.equals("localhost")
                || host.equals("[::1]")
                || host.matches("127(\\.[0-9]{1,3}){3}");
    }

    /** Returns the URL without a path. */
    public String text() {
        int usual = isEncrypted() ? 443 : 80;
        return scheme + "://" + host + (port == usual ? "" : ":" + port);
    }
}
