package dev.orloj.server.access;

import dev.orloj.api.ApiException;
import dev.orloj.api.Status;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.authorization.Authorizer;
import dev.orloj.server.authorization.Forbidden;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.security.Refusals;
import dev.orloj.server.security.RequestGuard;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.util.Optional;

/**
 * Lets a user act as another one ({@code kubectl --as}) if the user has the verb {@code
 * impersonate} on every part of that identity. From here on, the request is that of the other user.
 */
final class ImpersonationGuard implements RequestGuard {

    private final Authorizer authorizer;

    ImpersonationGuard(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    @Override
    public boolean admits(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Optional<UserInfo> user = AuthenticationGuard.user(request);
        Optional<Status> refusal = Optional.empty();
        if (user.isPresent()) {
            try {
                Optional<Impersonation> wanted = Impersonation.of(request);
                refusal =
                        wanted.flatMap(
                                who -> Forbidden.denial(authorizer, user.get(), who.parts()));
                wanted.ifPresent(who -> request.setAttribute(UserInfo.class.getName(), who.user()));
            } catch (ApiException e) {
                refusal = Optional.of(e.toStatus());
            }
        }
        if (refusal.isPresent()) {
            Refusals.send(response, refusal.get());
        }
        return refusal.isEmpty();
    }
}
