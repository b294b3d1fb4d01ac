package dev.orloj.runtime.transport.http;

import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;
import java.util.Locale;

/** Compares origins: credentials are not sent to another scheme, host or port. */
final class SameOrigin {

    private static final int TEMPORARY_REDIRECT = 307;
    private static final int PERMANENT_REDIRECT = 308;

    private SameOrigin() {}

    /**
     * Resolves an address that the server sent.
     *
     * @throws IllegalArgumentException when it is not an address, or leads to another origin
     */
    static URI resolve(URI from, String named) {
        URI target = from.resolve(named);
        if (!origin(target).equals(origin(from))) {
            throw new IllegalArgumentException("it leads to another server");
        }
        return target;
    }

    /** Returns the target of a redirect; null when it is none, or leads to another origin. */
    static @Nullable URI redirect(URI from, ClassicHttpResponse answer) {
        if (answer.getCode() != TEMPORARY_REDIRECT && answer.getCode() != PERMANENT_REDIRECT) {
            return null;
        }
        Header location = answer.getFirstHeader(HttpHeaders.LOCATION);
        if (location == null) {
            return null;
        }
        try {
            return resolve(from, location.getValue());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static List<Object> origin(URI uri) {
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
        return List.of(scheme, String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT), port);
    }
}
