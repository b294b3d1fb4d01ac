package dev.orloj.server.security;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * The origin of a web page (RFC 6454).
 *
 * @param scheme lower case
 * @param host lower case
 * @param port that of the scheme when none is given
 */
record WebOrigin(String scheme, String host, int port) {

    /** Parses an origin; empty for {@code null} and for other texts, such as a URL with a path. */
    static Optional<WebOrigin> parse(String text) {
        try {
            URI uri = URI.create(text);
            boolean isBare =
                    uri.getRawPath() != null
                            && uri.getRawPath().isEmpty()
                            && uri.getRawQuery() == null
                            && uri.getRawFragment() == null
                            && uri.getRawUserInfo() == null;
            return uri.getScheme() == null || uri.getHost() == null || !isBare
                    ? Optional.empty()
                    : Optional.of(of(uri.getScheme(), uri.getHost(), uri.getPort()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static WebOrigin of(String scheme, String host, int port) {
        String name = scheme.toLowerCase(Locale.ROOT);
        int effective = port >= 0 ? port : name.equals("https") ? 443 : 80;
        return new WebOrigin(name, host.toLowerCase(Locale.ROOT), effective);
    }
}
