package dev.orloj.server.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.util.List;

/** Lets a request pass that all guards admit. The first one that does not ends it. */
public final class GuardFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private final transient List<RequestGuard> guards;

    public GuardFilter(List<RequestGuard> guards) {
        this.guards = List.copyOf(guards);
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        for (RequestGuard guard : guards) {
            if (!guard.admits(request, response)) {
                return;
            }
        }
        chain.doFilter(request, response);
    }
}
