package dev.orloj.server.oidc;

import dev.orloj.runtime.subject.SubjectToken;
import dev.orloj.server.authentication.Authenticator;
import dev.orloj.server.authentication.BearerToken;
import dev.orloj.server.authentication.CallerToken;
import dev.orloj.server.authentication.Credential;
import dev.orloj.server.authentication.InvalidCredentialException;
import dev.orloj.server.authorization.UserInfo;

import jakarta.servlet.http.HttpServletRequest;

import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads bearer tokens of external issuers. Every JWT that gets here has to be of one of them. */
public final class JwtAuthenticator implements Authenticator {

    private static final String SCOPES = JwtAuthenticator.class.getName() + ".scopes";

    private final Issuers issuers;
    private final Function<HttpServletRequest, Optional<String>> resource;
    private final InstantSource clock;

    /**
     * @param resource the URI of the MCP endpoint of a request, for which a token may be; empty for
     *     other requests
     */
    public JwtAuthenticator(
            Issuers issuers,
            Function<HttpServletRequest, Optional<String>> resource,
            InstantSource clock) {
        this.issuers = issuers;
        this.resource = resource;
        this.clock = clock;
    }

    /** Returns the scopes of the token of a request; empty when it has none of an issuer. */
    @SuppressWarnings("unchecked")
    public static Optional<Set<String>> scopes(HttpServletRequest request) {
        return Optional.ofNullable((Set<String>) request.getAttribute(SCOPES));
    }

    @Override
    public Optional<UserInfo> authenticate(HttpServletRequest request)
            throws InvalidCredentialException {
        Optional<String> bearer = BearerToken.of(request);
        if (bearer.isEmpty()) {
            return Optional.empty();
        }
        Optional<VerifiedJwt> token = issuers.verify(bearer.get());
        if (token.isPresent()) {
            requireAudience(token.get(), resource.apply(request));
            request.setAttribute(SCOPES, token.get().scopes());
            subjectToken(token.get(), bearer.get())
                    .ifPresent(subject -> CallerToken.attach(request, subject));
            Credential.attach(request, Credential.until(token.get().expiresAt(), clock));
        }
        return token.map(VerifiedJwt::user);
    }

    private static Optional<SubjectToken> subjectToken(VerifiedJwt token, String value) {
        return token.subject().map(subject -> new SubjectToken(subject, value, token.expiresAt()));
    }

    private static void requireAudience(VerifiedJwt token, Optional<String> endpoint)
            throws InvalidCredentialException {
        if (!token.isForEverything() && endpoint.filter(token.audiences()::contains).isEmpty()) {
            throw new InvalidCredentialException(
                    "token of issuer \"%s\": its audience %s is neither configured nor this endpoint%s"
                            .formatted(
                                    token.user().extra().get(UserInfo.ISSUER),
                                    TokenExcerpt.of(token.audiences()),
                                    endpoint.map(uri -> " (" + uri + ")").orElse("")));
        }
    }
}
