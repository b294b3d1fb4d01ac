package dev.orloj.server.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.util.Enumeration;
import java.util.Optional;

/**
 * Rejects impersonation on the port that does not authenticate. A client that sends {@code
 * Impersonate-User} expects to be restricted to the rights of that user, which this port does not
 * enforce.
 */
public final class OpenPortGuard implements RequestGuard {

    private static final String PREFIX = "impersonate-";

    private final SecuredPorts ports;

    public OpenPortGuard(SecuredPorts ports) {
        this.ports = ports;
    }

    @Override
    public boolean admits(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Optional<String> header = ports.received(request) ? Optional.empty() : header(request);
        if (header.isEmpty()) {
            return true;
        }
        Refusals.forbid(
                response,
                ("impersonation is not supported: the header \"%s\" is refused, as orlojd does"
                                + " not authorize requests of this port; use the HTTPS port,"
                                + " or leave the header out (kubectl: --as, --as-group,"
                                + " --as-uid)")
                        .formatted(header.get()));
        return false;
    }

    /**
     * Returns the name of a header of a request that asks for impersonation. Copies no names: it
     * sees every request.
     */
    public static Optional<String> header(HttpServletRequest request) {
        for (Enumeration<String> names = request.getHeaderNames(); names.hasMoreElements(); ) {
            String name = names.nextElement();
            if (name.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
                return Optional.of(name);
            }
        }
        return Optional.empty();
    }
}
