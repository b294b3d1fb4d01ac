package dev.orloj.server.access;

import dev.orloj.api.ApiException;
import dev.orloj.api.Status;
import dev.orloj.server.access.limits.CallerLimiter;
import dev.orloj.server.access.limits.CallerLimits;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.authorization.Attributes;
import dev.orloj.server.authorization.Authorizer;
import dev.orloj.server.authorization.Forbidden;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.protectedresource.ScopeGuard;
import dev.orloj.server.security.Refusals;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Admits requests of users that are known, within their limits, and allowed to make them, before
 * anything is read or looked up for them.
 */
final class AccessFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private final transient AuthenticationGuard authentication;
    private final transient CallerLimiter limits;
    private final transient ScopeGuard scopes;
    private final transient ImpersonationGuard impersonation;
    private final transient Authorization authorization;

    AccessFilter(
            AuthenticationGuard authentication,
            CallerLimiter limits,
            ScopeGuard scopes,
            ImpersonationGuard impersonation,
            Authorization authorization) {
        this.authentication = authentication;
        this.limits = limits;
        this.scopes = scopes;
        this.impersonation = impersonation;
        this.authorization = authorization;
    }

    /** By what a request is allowed. */
    record Authorization(Authorizer authorizer, OpenRequests open, KnownRights known) {}

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!authentication.admits(request, response)) {
            return;
        }
        Optional<UserInfo> user = AuthenticationGuard.user(request);
        if (user.isEmpty()) {
            chain.doFilter(request, response);
        } else if (user.get().equals(UserInfo.ANONYMOUS)) {
            authorize(request, response, chain);
        } else {
            // For the user of the credential, not for the one that it acts as.
            Optional<CallerLimits.Admission> admission =
                    limits.admit(user.get(), request, response);
            if (admission.isPresent()) {
                try (CallerLimits.Admission _ = admission.get()) {
                    authorize(request, response, chain);
                }
            }
        }
    }

    private void authorize(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!scopes.admits(request, response) || !impersonation.admits(request, response)) {
            return;
        }
        UserInfo user = AuthenticationGuard.user(request).orElseThrow();
        OpenRequests open = authorization.open();
        long asOf = open.asOf();
        List<Attributes> parts = List.of();
        Optional<Status> denial;
        try {
            parts = RequestAttributes.of(request);
            denial = Forbidden.denial(authorization.authorizer(), user, parts);
        } catch (ApiException e) {
            denial = Optional.of(e.toStatus());
        }
        if (denial.isPresent()) {
            Refusals.send(response, denial.get());
            return;
        }
        request.setAttribute(
                Rights.class.getName(), new UserRights(user, parts, authorization.known(), open));
        try (OpenRequests.Open _ = open.begin(request, user, parts, asOf)) {
            chain.doFilter(request, response);
        }
    }
}
