package dev.orloj.controllers.login;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.oauth.OAuthClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.controllers.login.UserLogins.Logout;
import dev.orloj.controllers.login.UserLogins.Revocation;
import dev.orloj.runtime.network.Origin;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Revokes the tokens of logins whose servers are deleted, in the background and with the limits of
 * {@link HostQueue}. What an authorization server does not answer in time is a failure, and so is a
 * revocation whose turn does not come: no deletion waits longer than {@link #MAX_WAIT}.
 * Thread-safe.
 */
public final class LoginRevocations {

    /** How long a deletion waits at most. */
    public static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private final Function<McpServer, Logout> revoke;
    private final Consumer<ResourceKey> ended;
    private final InstantSource clock;
    private final HostQueue queue = new HostQueue("login-revocation");
    private final ConcurrentMap<ResourceKey, Begun> begun = new ConcurrentHashMap<>();

    /**
     * A revocation of the login of one server.
     *
     * @param uid of the server
     * @param outcome null until its end
     * @param task in the queue
     */
    private record Begun(
            String uid,
            Instant since,
            AtomicReference<@Nullable Logout> outcome,
            String host,
            Runnable task) {}

    /**
     * @param revoke revokes the tokens of a server, and blocks meanwhile
     * @param ended gets the server of a revocation that has ended
     */
    public LoginRevocations(
            Function<McpServer, Logout> revoke, Consumer<ResourceKey> ended, InstantSource clock) {
        this.revoke = revoke;
        this.ended = ended;
        this.clock = clock;
    }

    /**
     * Returns how the revocation for a server ended. Empty while it goes on. Begins it when asked
     * for the first time.
     */
    public Optional<Logout> outcome(McpServer server) {
        if (!LoginSecrets.hasLogins(server)) {
            return Optional.of(new Logout(Revocation.NONE, ""));
        }
        String uid = server.metadata().uid();
        Begun mine =
                begun.compute(
                        server.key(),
                        (_, known) ->
                                known != null && known.uid().equals(uid) ? known : begin(server));
        if (mine.outcome().get() == null
                && !clock.instant().isBefore(mine.since().plus(MAX_WAIT))) {
            giveUp(mine);
        }
        return Optional.ofNullable(mine.outcome().get());
    }

    private Begun begin(McpServer server) {
        AtomicReference<@Nullable Logout> outcome = new AtomicReference<>();
        Begun mine =
                new Begun(
                        server.metadata().uid(),
                        clock.instant(),
                        outcome,
                        host(server),
                        () -> {
                            outcome.compareAndSet(null, revoke(server));
                            ended.accept(server.key());
                        });
        if (!queue.offer(mine.host(), mine.task())) {
            outcome.set(failed("it was not asked, because too many revocations wait already"));
        }
        return mine;
    }

    /**
     * Returns what limits the revocations of a server: its authorization server, if it is known.
     */
    private static String host(McpServer server) {
        McpServerSpec.Http http = server.spec().http();
        String url =
                Optional.ofNullable(http.auth())
                        .flatMap(auth -> Optional.ofNullable(auth.oauth()))
                        .map(OAuthClient::issuer)
                        .filter(issuer -> !issuer.isEmpty())
                        .orElseGet(http::endpoint);
        return Origin.url(url).map(uri -> Origin.of(uri).text()).orElse(url);
    }

    private void giveUp(Begun mine) {
        boolean isWaiting = queue.withdraw(mine.host(), mine.task());
        mine.outcome()
                .compareAndSet(
                        null,
                        failed(
                                isWaiting
                                        ? "it was not asked within %d s, because others do not end (at most %d revocations run for the host of a server, and %d for all)"
                                                .formatted(
                                                        MAX_WAIT.toSeconds(),
                                                        HostQueue.MAX_RUNNING_PER_HOST,
                                                        HostQueue.MAX_RUNNING)
                                        : "the authorization server did not answer within %d s"
                                                .formatted(MAX_WAIT.toSeconds())));
    }

    private static Logout failed(String why) {
        return new Logout(Revocation.FAILED, why);
    }

    private Logout revoke(McpServer server) {
        try {
            return revoke.apply(server);
        } catch (RuntimeException e) {
            // Whatever it is, the deletion goes on, and its event has the message.
            return failed(String.valueOf(e.getMessage()));
        }
    }

    /** Forgets a server that is gone. */
    public void forget(ResourceKey server) {
        begun.remove(server);
    }
}
