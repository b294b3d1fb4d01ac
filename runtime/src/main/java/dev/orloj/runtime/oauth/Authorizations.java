package dev.orloj.runtime.oauth;

import dev.orloj.runtime.network.EndpointAddresses;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Finds the authorization of each server. Consecutive and concurrent sessions with the same server
 * and the same settings share one, and so one token. Thread-safe.
 */
public final class Authorizations implements AutoCloseable {

    /** One that no session has opened with for so long is forgotten, with its token. */
    private static final Duration LIFETIME = Duration.ofHours(1);

    private record Key(URI endpoint, OAuthSettings settings) {}

    private record Entry(RequestAuthorization authorization, Instant lastUse) {}

    private final OAuthHttp http;
    private final InstantSource clock;
    private final Map<Key, Entry> entries = new HashMap<>(); // guarded by itself

    /**
     * @param endpoints the addresses that may be reached
     * @param timer aborts requests; shared
     */
    public Authorizations(
            EndpointAddresses endpoints, ScheduledExecutorService timer, InstantSource clock) {
        this.http = new OAuthHttp(endpoints, timer);
        this.clock = clock;
    }

    /** Returns the authorization of the server at this endpoint. */
    public RequestAuthorization of(URI endpoint, OAuthSettings settings) {
        Instant now = clock.instant();
        Key key = new Key(endpoint, settings);
        synchronized (entries) {
            entries.values().removeIf(entry -> entry.lastUse().plus(LIFETIME).isBefore(now));
            Entry found = entries.get(key);
            RequestAuthorization authorization =
                    found == null ? authorization(key) : found.authorization();
            entries.put(key, new Entry(authorization, now));
            return authorization;
        }
    }

    private RequestAuthorization authorization(Key key) {
        return new ServerAuthorization(key.settings().server(), source(key), clock);
    }

    private TokenSource source(Key key) {
        Login.Reference login = key.settings().login();
        return login == null
                ? new ClientCredentials(http, key.endpoint(), key.settings(), clock)
                : new LoginTokens(http, key.endpoint(), key.settings(), login, clock);
    }

    @Override
    public void close() {
        http.close();
    }
}
