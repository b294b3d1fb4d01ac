package dev.orloj.server.security;

import jakarta.servlet.http.HttpServletRequest;

/**
 * The ports whose requests have to be authenticated: always that of HTTPS, and that of HTTP unless
 * it is open to all clients. Thread-safe.
 *
 * @param http whether the HTTP port is one of them
 */
public record SecuredPorts(boolean http) {

    /** Tomcat reads it from the connection, so no header can pretend it or take it away. */
    private static final String CIPHER_SUITE = "jakarta.servlet.request.cipher_suite";

    /** Returns whether a request has to be authenticated. */
    public boolean received(HttpServletRequest request) {
        return http || isEncrypted(request);
    }

    /** Returns whether a request came through TLS. */
    public static boolean isEncrypted(HttpServletRequest request) {
        return request.getAttribute(CIPHER_SUITE) != null;
    }
}
