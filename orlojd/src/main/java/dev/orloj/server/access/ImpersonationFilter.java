package dev.orloj.server.access;

import dev.orloj.api.ApiException;
import dev.orloj.api.Status;
import dev.orloj.api.codec.Json;
import dev.orloj.server.authentication.AuthenticationFilter;
import dev.orloj.server.authorization.Attributes;
import dev.orloj.server.authorization.Authorizer;
import dev.orloj.server.authorization.Decision;
import dev.orloj.server.authorization.Forbidden;
import dev.orloj.server.authorization.UserInfo;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.util.Optional;

/**
 * Lets a user act as another one ({@code kubectl --as}) if the user has the verb {@code
 * impersonate} on every part of that identity. From here on, the request is that of the other user.
 */
final class ImpersonationFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private final transient Authorizer authorizer;

    ImpersonationFilter(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<UserInfo> user = AuthenticationFilter.user(request);
        Optional<Status> refusal = Optional.empty();
        if (user.isPresent()) {
            try {
                Optional<Impersonation> wanted = Impersonation.of(request);
                refusal = wanted.flatMap(who -> refusal(user.get(), who));
                wanted.ifPresent(who -> request.setAttribute(UserInfo.class.getName(), who.user()));
            } catch (ApiException e) {
                refusal = Optional.of(e.toStatus());
            }
        }
        if (refusal.isEmpty()) {
            chain.doFilter(request, response);
        } else {
            response.setStatus(refusal.get().code());
            response.setContentType("application/json");
            response.getOutputStream().write(Json.MAPPER.writeValueAsBytes(refusal.get()));
        }
    }

    /** The first part that the user may not take on is named, to the user itself. */
    private Optional<Status> refusal(UserInfo user, Impersonation wanted) {
        for (Attributes part : wanted.parts()) {
            Decision decision = authorizer.decide(user, part);
            if (!decision.allowed()) {
                return Optional.of(Forbidden.status(user, part, decision.reason()));
            }
        }
        return Optional.empty();
    }
}
