package dev.orloj.runtime.oauth;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Keeps the access token of one server. All requests share it, and at most one request for the next
 * token is in progress; it continues if the request that began it is cancelled. After a failure,
 * the next one waits. Thread-safe.
 */
final class ServerAuthorization implements RequestAuthorization {

    private static final Logger log = LoggerFactory.getLogger(ServerAuthorization.class);
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    /** A server that asks for ever more scopes gets no more tokens. */
    private static final int MAX_STEP_UPS = 10;

    private final String server;
    private final TokenSource source;
    private final InstantSource clock;
    private final AtomicInteger stepUps = new AtomicInteger();
    private volatile @Nullable AccessToken current;

    /** The fields below are guarded by this. */
    private final FailureHold renewalFailure = new FailureHold();

    private final FailureHold stepUpFailure = new FailureHold();
    private @Nullable CompletableFuture<AccessToken> running;

    private enum Cause {
        /** There is no token, or it expires. */
        EXPIRY,
        /** The server refuses the token. */
        REFUSAL,
        /** The token lacks a scope, and serves other requests. */
        SCOPE
    }

    /** A request for a token, and the token that it replaces. */
    private record Demand(
            Cause cause,
            @Nullable AccessToken replaced,
            BearerChallenge challenge,
            List<String> scopes) {}

    ServerAuthorization(String server, TokenSource source, InstantSource clock) {
        this.server = server;
        this.source = source;
        this.clock = clock;
    }

    @Override
    public @Nullable AccessToken token() throws OAuthException {
        AccessToken token = current;
        if (token == null) {
            return source.isEager()
                    ? await(new Demand(Cause.EXPIRY, null, BearerChallenge.NONE, List.of()))
                    : throwHeldFailure();
        }
        Instant now = clock.instant();
        if (!token.isDue(now)) {
            return token;
        }
        Demand renewal = new Demand(Cause.EXPIRY, token, BearerChallenge.NONE, token.scopes());
        if (!token.isUsable(now)) {
            return await(renewal);
        }
        begin(renewal);
        return token;
    }

    /** Ends the wait after a failure, because its cause may be gone. */
    synchronized void retry() {
        renewalFailure.end();
    }

    private synchronized @Nullable AccessToken throwHeldFailure() throws OAuthException {
        OAuthException held = renewalFailure.at(clock.instant());
        if (held != null) {
            throw held;
        }
        return null;
    }

    @Override
    public boolean renew(@Nullable AccessToken sent, int status, List<String> challenges)
            throws OAuthException {
        if (status == UNAUTHORIZED) {
            return replace(sent, BearerChallenge.in(challenges));
        }
        if (sent == null) {
            return false;
        }
        if (!sent.isAccepted()) {
            accept(sent);
        }
        return status == FORBIDDEN && stepUp(sent, BearerChallenge.in(challenges));
    }

    private synchronized void accept(AccessToken sent) {
        sent.accept();
        renewalFailure.forget();
    }

    private boolean replace(@Nullable AccessToken sent, BearerChallenge challenge)
            throws OAuthException {
        if (sent != null && sent == current && !sent.isAccepted()) {
            throw reject(sent);
        }
        List<String> scopes = sent == null ? List.of() : sent.scopes();
        await(new Demand(Cause.REFUSAL, sent, challenge, scopes));
        return true;
    }

    /** A server that refuses a new token refuses the next one too. */
    private synchronized OAuthException reject(AccessToken sent) {
        OAuthException rejection =
                OAuthException.lasting(
                        OAuthFailure.TOKEN_REJECTED,
                        "the server refuses the token that was issued for it; check its audience"
                                + " (spec.auth.oauth.resource), its scopes, and which issuers the"
                                + " server accepts");
        if (current == sent) {
            current = null;
            fail(renewalFailure, rejection);
        }
        return rejection;
    }

    /** Requests the missing scopes in addition to those of the token. */
    private boolean stepUp(AccessToken sent, BearerChallenge challenge) throws OAuthException {
        List<String> scopes = Scopes.union(sent.scopes(), challenge.scopes());
        if (!challenge.isForScope() || scopes.size() == sent.scopes().size()) {
            return false;
        }
        if (sent == current && stepUps.incrementAndGet() > MAX_STEP_UPS) {
            throw OAuthException.lasting(
                    OAuthFailure.SCOPE_REFUSED,
                    "the server has asked for more scopes %d times; set spec.auth.oauth.scopes to all that its tools need"
                            .formatted(MAX_STEP_UPS));
        }
        try {
            await(new Demand(Cause.SCOPE, sent, challenge, scopes));
            return true;
        } catch (OAuthException e) {
            String message =
                    "the request needs the scope \"%s\", and %s"
                            .formatted(
                                    Shown.of(String.join(" ", challenge.scopes())), e.getMessage());
            throw e.mayPass()
                    ? OAuthException.passing(OAuthFailure.SCOPE_REFUSED, message, e)
                    : OAuthException.lasting(OAuthFailure.SCOPE_REFUSED, message);
        }
    }

    private AccessToken await(Demand demand) throws OAuthException {
        try {
            return begin(demand).get();
        } catch (ExecutionException e) {
            throw OAuthException.in(e)
                    .orElseGet(() -> unexpected(e.getCause() == null ? e : e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw OAuthException.passing(
                    OAuthFailure.TOKEN_FAILED, "the wait for a token was interrupted", e);
        }
    }

    private static OAuthException unexpected(Throwable cause) {
        return OAuthException.passing(
                OAuthFailure.TOKEN_FAILED, "the token request failed: " + cause, cause);
    }

    private synchronized CompletableFuture<AccessToken> begin(Demand demand) {
        CompletableFuture<AccessToken> already = running;
        if (already != null) {
            return already;
        }
        AccessToken token = current;
        if (token != null && token != demand.replaced()) {
            return CompletableFuture.completedFuture(token);
        }
        OAuthException held = hold(demand).at(clock.instant());
        if (held != null) {
            return CompletableFuture.failedFuture(held);
        }
        if (demand.cause() == Cause.REFUSAL) {
            current = null;
        }
        CompletableFuture<AccessToken> result = new CompletableFuture<>();
        running = result;
        Thread.ofVirtual().name("orloj-oauth-" + server).start(() -> run(demand, result));
        return result;
    }

    private FailureHold hold(Demand demand) {
        return demand.cause() == Cause.SCOPE ? stepUpFailure : renewalFailure;
    }

    private void run(Demand demand, CompletableFuture<AccessToken> result) {
        try {
            AccessToken token = source.next(demand.challenge(), demand.scopes());
            succeed(demand, token);
            result.complete(token);
        } catch (OAuthException e) {
            endWith(demand, e);
            result.completeExceptionally(e);
        } catch (RuntimeException | Error e) {
            // Top level of the thread: all requests to the server wait for the result.
            endWith(demand, unexpected(e));
            result.completeExceptionally(e);
        }
    }

    private synchronized void succeed(Demand demand, AccessToken token) {
        current = token;
        running = null;
        hold(demand).end();
    }

    private synchronized void endWith(Demand demand, OAuthException e) {
        running = null;
        fail(hold(demand), e);
        log.atWarn()
                .addKeyValue("server", server)
                .addKeyValue("reason", e.failure().reason())
                .addKeyValue("error", e.getMessage())
                .log("No access token for the server");
    }

    private void fail(FailureHold hold, OAuthException e) {
        hold.begin(e, clock.instant());
    }

    @Override
    public List<String> secrets() {
        return Stream.concat(
                        source.secrets().stream(),
                        Stream.ofNullable(current).map(AccessToken::value))
                .toList();
    }
}
