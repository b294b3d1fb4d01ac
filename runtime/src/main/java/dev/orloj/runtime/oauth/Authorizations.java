package dev.orloj.runtime.oauth;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.subject.SubjectIdentifier;
import dev.orloj.runtime.subject.SubjectToken;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Finds the authorization of each server. Consecutive and concurrent sessions with the same server
 * and the same settings share one, and so one token; where requests are on behalf of users, each
 * user has one. Thread-safe.
 */
public final class Authorizations implements AutoCloseable {

    /** One that no session has opened with for so long is forgotten, with its token. */
    private static final Duration LIFETIME = Duration.ofHours(1);

    /** Users can be many, so the one that was not used for longest is forgotten beyond this. */
    private static final int MAX_ENTRIES = 10_000;

    private record Key(URI endpoint, OAuthSettings settings) {}

    private record Entry(ServerAuthorization authorization, TokenSource source, Instant lastUse) {}

    private final OAuthHttp http;
    private final InstantSource clock;

    /** The least recently used one first; guarded by itself. */
    private final Map<Key, Entry> entries = new LinkedHashMap<>();

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
        return entry(new Key(endpoint, settings)).authorization();
    }

    /**
     * Gets a token for the requests of a user, unless there is one that is valid. Further tokens
     * are requested with the token of the user that was given last.
     *
     * @param settings those for this user
     * @throws OAuthException when there is no token for the user
     */
    public void authorize(URI endpoint, OAuthSettings settings, SubjectToken token)
            throws OAuthException {
        Entry entry = entry(new Key(endpoint, settings));
        if (entry.source() instanceof TokenExchange exchange && exchange.present(token)) {
            entry.authorization().retry();
        }
        entry.authorization().token();
    }

    private Entry entry(Key key) {
        Instant now = clock.instant();
        synchronized (entries) {
            Entry found = entries.remove(key);
            forgetUnused(now);
            Entry used =
                    found == null
                            ? newEntry(key, now)
                            : new Entry(found.authorization(), found.source(), now);
            entries.put(key, used);
            return used;
        }
    }

    @GuardedBy("entries")
    private void forgetUnused(Instant now) {
        Iterator<Entry> oldest = entries.values().iterator();
        while (oldest.hasNext()) {
            boolean isUnused = oldest.next().lastUse().plus(LIFETIME).isBefore(now);
            if (!isUnused && entries.size() < MAX_ENTRIES) {
                return;
            }
            oldest.remove();
        }
    }

    private Entry newEntry(Key key, Instant now) {
        TokenSource source = source(key);
        return new Entry(
                new ServerAuthorization(key.settings().server(), source, clock), source, now);
    }

    private TokenSource source(Key key) {
        OAuthSettings.Exchange exchange = key.settings().exchange();
        SubjectIdentifier user = exchange == null ? null : exchange.subject();
        if (exchange != null && user != null) {
            return new TokenExchange(http, key.endpoint(), key.settings(), exchange, user, clock);
        }
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
