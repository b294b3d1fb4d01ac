package dev.orloj.server.access;

import dev.orloj.api.ApiException;
import dev.orloj.api.Status;
import dev.orloj.api.codec.Json;
import dev.orloj.server.authentication.AuthenticationFilter;
import dev.orloj.server.authorization.Attributes;
import dev.orloj.server.authorization.Authorizer;
import dev.orloj.server.authorization.Decision;
import dev.orloj.server.authorization.Forbidden;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.authorization.UserInfo;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Refuses requests that their user may not make, before anything is read or looked up for them. */
final class AuthorizationFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private final transient Authorizer authorizer;
    private final transient OpenRequests open;
    private final transient KnownRights known;

    AuthorizationFilter(Authorizer authorizer, OpenRequests open, KnownRights known) {
        this.known = known;
        this.authorizer = authorizer;
        this.open = open;
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<UserInfo> user = AuthenticationFilter.user(request);
        if (user.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        long asOf = open.asOf();
        List<Attributes> parts = List.of();
        Optional<Status> denial;
        try {
            parts = RequestAttributes.of(request);
            denial = denial(user.get(), parts);
        } catch (ApiException e) {
            denial = Optional.of(e.toStatus());
        }
        if (denial.isEmpty()) {
            request.setAttribute(
                    Rights.class.getName(), new UserRights(user.get(), parts, known, open));
            try (OpenRequests.Open _ = open.begin(request, user.get(), parts, asOf)) {
                chain.doFilter(request, response);
            }
        } else {
            response.setStatus(denial.get().code());
            response.setContentType("application/json");
            response.getOutputStream().write(Json.MAPPER.writeValueAsBytes(denial.get()));
        }
    }

    private Optional<Status> denial(UserInfo user, List<Attributes> parts) {
        for (Attributes part : parts) {
            Decision decision = authorizer.decide(user, part);
            if (!decision.allowed()) {
                return Optional.of(Forbidden.status(user, part, decision.reason()));
            }
        }
        return Optional.empty();
    }
}
