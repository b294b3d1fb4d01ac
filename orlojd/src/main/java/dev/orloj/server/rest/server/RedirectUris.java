package dev.orloj.server.rest.server;

import dev.orloj.api.ApiException;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/**
 * The URLs that may get the response of an authorization server: those of a program on the machine
 * of the user (RFC 8252, 7.3). Any other URL would receive codes that it could try elsewhere.
 */
final class RedirectUris {

    private static final int MAX_LENGTH = 2048;
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|\\[::1]|127(\\.[0-9]{1,3}){3}");

    private RedirectUris() {}

    /**
     * @throws ApiException when a URL may not get the response
     */
    static String require(String text) {
        if (text.length() > MAX_LENGTH || !isLoopback(text)) {
            throw ApiException.badRequest(
                    "redirectUri: give a URL such as http://127.0.0.1:7777/callback, of this"
                            + " machine, with a port and without a query");
        }
        return text;
    }

    private static boolean isLoopback(String text) {
        try {
            URI uri = new URI(text);
            return "http".equals(uri.getScheme())
                    && uri.getHost() != null
                    && LOOPBACK.matcher(uri.getHost()).matches()
                    && uri.getPort() > 0
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
