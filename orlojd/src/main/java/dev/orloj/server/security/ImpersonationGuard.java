package dev.orloj.server.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
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
public final class ImpersonationGuard extends HttpFilter {

    private static final long serialVersionUID = 1L;
    private static final String PREFIX = "impersonate-";

    private final transient SecuredPorts ports;

    public ImpersonationGuard(SecuredPorts ports) {
        this.ports = ports;
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<String> header = ports.received(request) ? Optional.empty() : header(request);
        if (header.isPresent()) {
            Refusals.forbid(
                    response,
                    ("impersonation is not supported: the header \"%s\" is refused, as orlojd does"
                                    + " not authorize requests of this port; use the HTTPS port,"
                                    + " or leave the header out (kubectl: --as, --as-group,"
                                    + " --as-uid)")
                            .formatted(header.get()));
        } else {
            chain.doFilter(request, response);
        }
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
