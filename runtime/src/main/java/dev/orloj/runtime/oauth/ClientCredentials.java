package dev.orloj.runtime.oauth;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gets tokens for the client itself (RFC 6749, 4.4). */
final class ClientCredentials implements TokenSource {

    private final OAuthSettings settings;
    private final Discovery discovery;
    private final TokenEndpoint tokens;
    private final InstantSource clock;
    private Discovery.@Nullable Plan plan;

    ClientCredentials(OAuthHttp http, URI endpoint, OAuthSettings settings, InstantSource clock) {
        this.settings = settings;
        this.discovery = new Discovery(http, endpoint, settings);
        this.tokens = new TokenEndpoint(http, settings.client(), clock);
        this.clock = clock;
    }

    /** The scopes are known without a challenge if the manifest has them. */
    @Override
    public boolean isEager() {
        return !settings.scopes().isEmpty() || !settings.tokenUrl().isEmpty();
    }

    @Override
    public AccessToken next(BearerChallenge challenge, List<String> scopes) throws OAuthException {
        Discovery.Plan current = plan;
        if (current == null || !challenge.equals(BearerChallenge.NONE)) {
            current = discovery.plan(challenge);
            plan = current;
        }
        List<String> wanted = Scopes.union(scopes, Scopes.usual(settings, challenge, current));
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "client_credentials");
        form.put("resource", current.resource());
        if (!wanted.isEmpty()) {
            form.put("scope", String.join(" ", wanted));
        }
        TokenEndpoint.Granted granted = tokens.request(current.server(), form);
        return new AccessToken(granted.accessToken(), clock.instant(), granted.lifetime(), wanted);
    }

    @Override
    public List<String> secrets() {
        String secret = settings.client().secret();
        return secret == null || secret.isEmpty() ? List.of() : List.of(secret);
    }
}
