package dev.orloj.runtime.oauth;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Takes tokens from the login of a user, and renews them (RFC 6749, 6). The replicas share the
 * login: one of them renews it at a time, because many authorization servers accept a refresh token
 * only once, and end the login when it is used again.
 */
final class LoginTokens implements TokenSource {

    /** Longer than a token request can take. */
    private static final Duration RENEWAL = Duration.ofSeconds(20);

    /** A token that another replica has obtained serves for at least this long. */
    private static final Duration MARGIN = Duration.ofSeconds(30);

    private static final Duration POLL = Duration.ofMillis(200);

    private record Renewal(Login old, Login next) {}

    private final OAuthSettings settings;
    private final Login.Reference reference;
    private final Discovery discovery;
    private final OAuthHttp http;
    private final InstantSource clock;
    private @Nullable AuthorizationServer server;

    /** Not in the store yet. The refresh token before it may be worth nothing any more. */
    private @Nullable Renewal unsaved;

    /** The token of the latest call: to ask for the next one means that this one does not serve. */
    private String latest = "";

    private volatile List<String> secrets = List.of();

    LoginTokens(
            OAuthHttp http,
            URI endpoint,
            OAuthSettings settings,
            Login.Reference reference,
            InstantSource clock) {
        this.settings = settings;
        this.reference = reference;
        this.discovery = new Discovery(http, endpoint, settings);
        this.http = http;
        this.clock = clock;
    }

    @Override
    public boolean isEager() {
        return true;
    }

    @Override
    public AccessToken next(BearerChallenge challenge, List<String> scopes) throws OAuthException {
        save();
        Login login = current();
        AuthorizationServer known = server(login);
        requireScopes(login, scopes);
        Instant end = clock.instant().plus(RENEWAL).plus(RENEWAL);
        while (!serves(login)) {
            Instant now = clock.instant();
            if (login.refreshToken().isEmpty()) {
                throw loginRequired(
                        "the access token has expired or was refused, and \"%s\" gave no refresh token"
                                .formatted(login.parties().issuer()));
            }
            if (now.isAfter(end)) {
                throw OAuthException.passing(
                        OAuthFailure.TOKEN_FAILED,
                        "another replica has not renewed the tokens of the login in time",
                        null);
            }
            Login mine = login.renewing(now.plus(RENEWAL));
            if (now.isBefore(login.renewalEnd())) {
                pause();
            } else if (reference.store().replace(login, mine)) {
                return token(renew(known, mine));
            }
            login = current();
        }
        return token(login);
    }

    private Login current() throws OAuthException {
        Login login =
                reference
                        .store()
                        .find()
                        .filter(found -> found.id().equals(reference.id()))
                        .orElseThrow(() -> loginRequired("the login has ended"));
        if (login.isOver()) {
            throw loginRequired(login.end());
        }
        secrets =
                Stream.of(
                                login.accessToken(),
                                login.refreshToken(),
                                login.parties().client().secret())
                        .filter(each -> !each.isEmpty())
                        .toList();
        return login;
    }

    private void requireScopes(Login login, List<String> scopes) throws OAuthException {
        List<String> missing =
                scopes.stream().filter(each -> !login.scopes().contains(each)).toList();
        if (!missing.isEmpty()) {
            throw OAuthException.lasting(
                    OAuthFailure.LOGIN_REQUIRED,
                    "the login does not include it; add it to spec.auth.oauth.scopes, and run \"%s\" again"
                            .formatted(settings.loginCommand()));
        }
    }

    private boolean serves(Login login) {
        Instant end =
                login.refreshToken().isEmpty() ? login.expiry() : login.expiry().minus(MARGIN);
        return !login.accessToken().equals(latest) && clock.instant().isBefore(end);
    }

    private AccessToken asToken(Login login) {
        Instant now = clock.instant();
        Duration left = Duration.between(now, login.expiry());
        return new AccessToken(
                login.accessToken(), now, left.isNegative() ? Duration.ZERO : left, login.scopes());
    }

    private AccessToken token(Login login) {
        latest = login.accessToken();
        return asToken(login);
    }

    private Login renew(AuthorizationServer known, Login login) throws OAuthException {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "refresh_token");
        form.put("refresh_token", login.refreshToken());
        form.put("resource", login.parties().resource());
        TokenEndpoint tokens = new TokenEndpoint(http, settings.client(login), clock);
        Login renewed;
        try {
            renewed = login.renewed(tokens.request(known, form), clock.instant());
        } catch (OAuthException e) {
            throw e.error().equals("invalid_grant") ? end(login, e) : release(login, e);
        }
        unsaved = new Renewal(login, renewed);
        save();
        return renewed;
    }

    /** Saves the latest renewal, again if the store failed before. */
    private void save() throws OAuthException {
        Renewal renewal = unsaved;
        if (renewal != null) {
            boolean isSaved = reference.store().replace(renewal.old(), renewal.next());
            unsaved = null;
            if (!isSaved) {
                throw loginRequired("the login was replaced while its tokens were renewed");
            }
        }
    }

    private AuthorizationServer server(Login login) throws OAuthException {
        AuthorizationServer known = server;
        if (known == null) {
            known = discovery.server(login);
            server = known;
        }
        return known;
    }

    /** Ends a login that the authorization server has ended, so that every replica knows. */
    private OAuthException end(Login login, OAuthException cause) {
        String why = String.valueOf(cause.getMessage());
        reference.store().replace(login, login.ended(why));
        return loginRequired(why);
    }

    /** Lets another attempt begin at once. */
    private OAuthException release(Login login, OAuthException cause) {
        server = null;
        reference.store().replace(login, login.renewing(Instant.EPOCH));
        return cause;
    }

    private OAuthException loginRequired(String why) {
        return OAuthException.lasting(
                OAuthFailure.LOGIN_REQUIRED,
                "%s; run \"%s\"".formatted(why, settings.loginCommand()));
    }

    private static void pause() throws OAuthException {
        try {
            TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw OAuthException.passing(
                    OAuthFailure.TOKEN_FAILED, "the wait for a token was interrupted", e);
        }
    }

    @Override
    public List<String> secrets() {
        String secret = settings.client().secret();
        return secret == null || secret.isEmpty()
                ? secrets
                : Stream.concat(secrets.stream(), Stream.of(secret)).toList();
    }
}
