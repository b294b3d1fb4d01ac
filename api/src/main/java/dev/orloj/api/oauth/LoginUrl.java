package dev.orloj.api.oauth;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Decides which URLs a browser may open for a login. */
public final class LoginUrl {

    // Others, such as $ and ;, are valid in a URL too, and mean something to the shells that the
    // programs that open browsers are written for.
    private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9\\-._~%:/?#\\[\\]@&+,=]+");

    private LoginUrl() {}

    /**
     * Returns the URL of a text if it is one of http or https, with a host, without a user, and
     * without characters that are special in a shell.
     */
    public static Optional<URI> of(String text) {
        if (!HARMLESS.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            URI uri = new URI(text);
            boolean isHttp =
                    "https".equalsIgnoreCase(uri.getScheme())
                            || "http".equalsIgnoreCase(uri.getScheme());
            return isHttp && uri.getHost() != null && uri.getRawUserInfo() == null
                    ? Optional.of(uri)
                    : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
