package dev.orloj.server.security;

import jakarta.servlet.http.HttpServletRequest;

/** Distinguishes the requests of the HTTPS port from those of the HTTP port. */
public final class SecuredPort {

    /** Tomcat reads it from the connection, so no header can pretend it or take it away. */
    private static final String CIPHER_SUITE = "jakarta.servlet.request.cipher_suite";

    private SecuredPort() {}

    /** Returns whether a request came through TLS, and therefore has to be authenticated. */
    public static boolean received(HttpServletRequest request) {
        return request.getAttribute(CIPHER_SUITE) != null;
    }
}
