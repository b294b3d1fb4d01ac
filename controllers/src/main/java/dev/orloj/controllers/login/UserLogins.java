package dev.orloj.controllers.login;

import dev.orloj.api.ApiException;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.v1.McpServer;
import dev.orloj.runtime.oauth.AuthorizationCodeGrant;
import dev.orloj.runtime.oauth.AuthorizationRequest;
import dev.orloj.runtime.oauth.Login;
import dev.orloj.runtime.oauth.OAuthException;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/**
 * Logs users in at the authorization servers of MCP servers, and out again. A login can begin at
 * one replica and finish at another. Thread-safe.
 */
public final class UserLogins {

    /** What happened to the tokens of a login at the authorization server. */
    public enum Revocation {
        REVOKED,
        /** The authorization server has no endpoint for it. */
        UNSUPPORTED,
        FAILED,
        /** There was no login. */
        NONE
    }

    /**
     * The end of a login.
     *
     * @param message why the revocation failed; empty if it did not
     */
    public record Logout(Revocation revocation, String message) {}

    private final LoginSecrets secrets;
    private final AuthorizationCodeGrant grant;
    private final Function<McpServer, LoginTarget> targets;
    private final InstantSource clock;

    /**
     * @param targets returns where users log in for a server; throws an ApiException if they cannot
     */
    public UserLogins(
            LoginSecrets secrets,
            AuthorizationCodeGrant grant,
            Function<McpServer, LoginTarget> targets,
            InstantSource clock) {
        this.secrets = secrets;
        this.grant = grant;
        this.targets = targets;
        this.clock = clock;
    }

    /** Returns the login at a server. Empty without one. */
    public Optional<Login> find(McpServer server) {
        return secrets.read(server).login();
    }

    /**
     * Begins a login. The latest one that has begun can finish.
     *
     * @param redirectUri gets the response of the authorization server
     * @throws ApiException of reason CONFLICT when the server is being deleted
     * @throws OAuthException when users cannot log in
     */
    public AuthorizationRequest begin(McpServer server, String redirectUri) throws OAuthException {
        requireStays(server);
        LoginTarget target = targets.apply(server);
        AuthorizationRequest request =
                grant.begin(
                        target.endpoint(),
                        target.settings(),
                        secrets.read(server).request(),
                        redirectUri);
        secrets.update(server, content -> content.with(request));
        return request;
    }

    /**
     * Finishes a login.
     *
     * @param redirectUri that the response came to
     * @param query of the URL that the browser was redirected to
     * @throws ApiException of reason CONFLICT when no login has begun, or another one has begun
     *     since, or the server is being deleted
     * @throws OAuthException when the authorization server does not log the user in
     */
    public Login finish(McpServer server, String redirectUri, String query) throws OAuthException {
        requireStays(server);
        LoginTarget target = targets.apply(server);
        AuthorizationRequest request =
                secrets.read(server)
                        .request()
                        .filter(found -> found.isOpen(clock.instant()))
                        .filter(found -> found.redirectUri().equals(redirectUri))
                        .orElseThrow(() -> noRequest(server));
        Login login = grant.finish(target.endpoint(), target.settings(), request, query);
        try {
            store(server, request, login);
        } catch (ApiException e) {
            // These tokens are known nowhere else.
            revoke(server, login);
            throw e;
        }
        return login;
    }

    private void store(McpServer server, AuthorizationRequest request, Login login) {
        secrets.update(
                server,
                content -> {
                    if (!content.request().equals(Optional.of(request))) {
                        throw noRequest(server);
                    }
                    return content.with(request.closed()).with(login);
                });
        // The deletion of the server revokes the login that it finds. If it looked before this one
        // was stored, then the server was marked as deleted even earlier.
        if (!secrets.stays(server)) {
            secrets.remove(server, login);
            throw leaving(server);
        }
    }

    private void requireStays(McpServer server) {
        if (!secrets.stays(server)) {
            throw leaving(server);
        }
    }

    private static ApiException leaving(McpServer server) {
        return ApiException.conflict(
                McpServer.KIND,
                server.metadata().name(),
                "it is being deleted, and no user can log in there; create it again first");
    }

    private static ApiException noRequest(McpServer server) {
        return ApiException.conflict(
                McpServer.KIND,
                server.metadata().name(),
                "no login is in progress for this response: it took longer than 10 minutes, or"
                        + " another login has begun since; begin the login again");
    }

    /**
     * Revokes the tokens of the login at a server, and then deletes them, with the client that
     * registered itself. What prevents the revocation does not prevent the deletion.
     */
    public Logout end(McpServer server) {
        Optional<Login> login = secrets.read(server).login();
        if (login.isEmpty()) {
            return new Logout(Revocation.NONE, "");
        }
        Logout logout = revoke(server, login.get());
        secrets.remove(server, login.get());
        return logout;
    }

    /**
     * Revokes the tokens of the login that is deleted together with a server. Leaves out one that
     * outlives it.
     *
     * @throws ApiException when the Secret cannot be read
     */
    public Logout revoke(McpServer server) {
        boolean isOrphaned = server.metadata().finalizers().contains(Propagation.ORPHAN_FINALIZER);
        return Optional.of(server)
                .filter(_ -> !isOrphaned)
                .flatMap(secrets::readOwn)
                .map(login -> revoke(server, login))
                .orElseGet(() -> new Logout(Revocation.NONE, ""));
    }

    private Logout revoke(McpServer server, Login login) {
        if (login.isOver()) {
            return new Logout(Revocation.NONE, "");
        }
        try {
            LoginTarget target = targets.apply(server);
            boolean isRevoked = grant.revoke(target.endpoint(), target.settings(), login);
            return new Logout(isRevoked ? Revocation.REVOKED : Revocation.UNSUPPORTED, "");
        } catch (OAuthException | ApiException e) {
            return new Logout(Revocation.FAILED, String.valueOf(e.getMessage()));
        }
    }
}
