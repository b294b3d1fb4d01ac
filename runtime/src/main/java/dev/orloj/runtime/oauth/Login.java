package dev.orloj.runtime.oauth;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The login of a user at the authorization server of an MCP server, with its tokens. {@code
 * toString} shows none of them.
 *
 * @param id differs for each login, and stays when tokens are renewed
 * @param since when the user logged in
 * @param parties between whom the tokens are valid
 * @param scopes that the user granted
 * @param accessToken empty after the end of the login
 * @param expiry of the access token
 * @param refreshToken empty without one
 * @param renewalEnd until when a replica has the right to renew the tokens; {@link Instant#EPOCH}
 *     if none renews them
 * @param end why the login has ended; empty until then
 */
public record Login(
        String id,
        Instant since,
        Parties parties,
        List<String> scopes,
        String accessToken,
        Instant expiry,
        String refreshToken,
        Instant renewalEnd,
        String end) {

    /**
     * A client that registered itself.
     *
     * @param id empty for none
     * @param secret empty without one
     * @param method how it authenticates itself, as in metadata
     */
    public record Client(String id, String secret, String method) {

        public static final Client NONE = new Client("", "", "");

        /** Returns what it authenticates itself with. */
        ClientAuthentication authentication() {
            return new ClientAuthentication(
                    id,
                    secret.isEmpty() ? null : secret,
                    null,
                    ClientAuthentication.Method.of(method).orElse(null));
        }

        @Override
        public String toString() {
            return "Client[id=" + id + "]";
        }
    }

    /**
     * Who takes part in a login.
     *
     * @param endpoint of the MCP server, the only one that gets the access token
     * @param issuer the authorization server; the token endpoint if that has no metadata
     * @param client that registered itself; {@link Client#NONE} for that of the manifest
     * @param resource the identifier of the MCP server
     */
    public record Parties(URI endpoint, String issuer, Client client, String resource) {}

    /** Where the login at one server is kept. All replicas share it. Thread-safe. */
    public interface Store {

        /** Returns the login at this moment. Empty without one. */
        Optional<Login> find();

        /** Replaces a login that {@link #find} returned. Returns false if it has changed since. */
        boolean replace(Login old, Login next);
    }

    /**
     * Refers to a login. Equal until the user logs in again.
     *
     * @param id of the login
     */
    public record Reference(String id, Store store) {}

    public Login {
        scopes = List.copyOf(scopes);
    }

    /** Returns whether its tokens can be used or renewed. */
    public boolean isOver() {
        return accessToken.isEmpty();
    }

    /** Returns the login with the right to renew its tokens until then. */
    Login renewing(Instant until) {
        return new Login(id, since, parties, scopes, accessToken, expiry, refreshToken, until, end);
    }

    /** Returns the login with new tokens. The old refresh token stays if there is no new one. */
    Login renewed(TokenEndpoint.Granted granted, Instant now) {
        return new Login(
                id,
                since,
                parties,
                granted.scopes().isEmpty() ? scopes : granted.scopes(),
                granted.accessToken(),
                now.plus(granted.lifetime()),
                granted.refreshToken().isEmpty() ? refreshToken : granted.refreshToken(),
                Instant.EPOCH,
                end);
    }

    /** Returns the login without tokens. */
    Login ended(String why) {
        return new Login(id, since, parties, scopes, "", expiry, "", Instant.EPOCH, why);
    }

    @Override
    public String toString() {
        return "Login[issuer=" + parties.issuer() + ", since=" + since + "]";
    }
}
