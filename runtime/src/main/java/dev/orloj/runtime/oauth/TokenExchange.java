package dev.orloj.runtime.oauth;

import dev.orloj.runtime.subject.SubjectIdentifier;
import dev.orloj.runtime.subject.SubjectToken;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Exchanges the token of a user for one with which orlojd acts for the user at one server (RFC
 * 8693). The token of the user goes to the issuer that has issued it, and to nobody else: a
 * manifest that names another one gets nothing.
 */
final class TokenExchange implements TokenSource {

    private static final String GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";
    private static final String ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

    private final OAuthSettings settings;
    private final String audience;
    private final SubjectIdentifier user;
    private final Discovery discovery;
    private final TokenEndpoint tokens;
    private final InstantSource clock;
    private Discovery.@Nullable Plan plan;

    /** The token of the user that was presented last. */
    private volatile @Nullable SubjectToken presented;

    TokenExchange(
            OAuthHttp http,
            URI endpoint,
            OAuthSettings settings,
            OAuthSettings.Exchange exchange,
            SubjectIdentifier user,
            InstantSource clock) {
        this.settings = settings;
        this.audience = exchange.audience();
        this.user = user;
        this.discovery = new Discovery(http, endpoint, settings);
        this.tokens = new TokenEndpoint(http, settings.client(), clock);
        this.clock = clock;
    }

    /**
     * Uses this token of the user from now on.
     *
     * @return whether it is another one than before
     */
    boolean present(SubjectToken token) {
        if (!token.subject().equals(user)) {
            throw new IllegalArgumentException("Not a token of this user: " + token);
        }
        SubjectToken before = presented;
        presented = token;
        return before != null && !before.equals(token);
    }

    /** Without a token, no session is opened for the user. */
    @Override
    public boolean isEager() {
        return true;
    }

    @Override
    public AccessToken next(BearerChallenge challenge, List<String> scopes) throws OAuthException {
        SubjectToken subject = usable();
        requireOwnIssuer(settings.issuer());
        Discovery.Plan current = plan;
        if (current == null || !challenge.equals(BearerChallenge.NONE)) {
            current = discovery.plan(challenge);
            plan = current;
        }
        requireOwnIssuer(current.server().issuer());
        List<String> wanted = Scopes.union(scopes, Scopes.usual(settings, challenge, current));
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", GRANT);
        form.put("subject_token", subject.value());
        form.put("subject_token_type", ACCESS_TOKEN);
        form.put("requested_token_type", ACCESS_TOKEN);
        form.put("resource", current.resource());
        if (!audience.isEmpty()) {
            form.put("audience", audience);
        }
        if (!wanted.isEmpty()) {
            form.put("scope", String.join(" ", wanted));
        }
        TokenEndpoint.Granted granted = tokens.request(current.server(), form);
        requireAnother(subject, granted);
        return new AccessToken(granted.accessToken(), clock.instant(), granted.lifetime(), wanted);
    }

    private SubjectToken usable() throws OAuthException {
        SubjectToken subject = presented;
        if (subject == null || !clock.instant().isBefore(subject.expiry())) {
            throw OAuthException.passing(
                    OAuthFailure.TOKEN_FAILED,
                    "the token of the user \"%s\" has expired; call again with a new one"
                            .formatted(Shown.of(user.name())),
                    null);
        }
        return subject;
    }

    private void requireOwnIssuer(String issuer) throws OAuthException {
        if (!issuer.equals(user.issuer())) {
            throw OAuthException.lasting(
                    OAuthFailure.ISSUER_REFUSED,
                    "the token of the user is one of \"%s\", and is not sent to \"%s\"; use a token of the issuer in spec.auth.oauth.issuer"
                            .formatted(Shown.of(user.issuer()), Shown.of(issuer)));
        }
    }

    /** The server must not get the token that orlojd accepts. */
    private static void requireAnother(SubjectToken subject, TokenEndpoint.Granted granted)
            throws OAuthException {
        if (granted.accessToken().equals(subject.value())) {
            throw OAuthException.lasting(
                    OAuthFailure.TOKEN_FAILED,
                    "the authorization server returns the token of the user instead of one for the"
                        + " server; set spec.auth.oauth.audience, and allow the client to exchange"
                        + " tokens for it");
        }
    }

    @Override
    public List<String> secrets() {
        String secret = settings.client().secret();
        return Stream.concat(
                        Stream.ofNullable(secret).filter(text -> !text.isEmpty()),
                        Stream.ofNullable(presented).map(SubjectToken::value))
                .toList();
    }
}
