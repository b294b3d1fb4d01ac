package dev.orloj.controllers.login;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.login.UserLogins.Logout;
import dev.orloj.controllers.login.UserLogins.Revocation;

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
 * Revokes the tokens of logins whose servers are deleted, on threads of its own. What an
 * authorization server does not answer in time is a failure, so that no deletion waits for it.
 * Thread-safe.
 */
public final class LoginRevocations {

    /** How long a deletion waits at most. */
    public static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private final Function<McpServer, Logout> revoke;
    private final Consumer<ResourceKey> ended;
    private final InstantSource clock;
    private final ConcurrentMap<ResourceKey, Begun> begun = new ConcurrentHashMap<>();

    /**
     * A revocation of the login of one server.
     *
     * @param uid of the server
     * @param outcome null until its end
     */
    private record Begun(String uid, Instant since, AtomicReference<@Nullable Logout> outcome) {}

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
        Logout outcome = mine.outcome().get();
        if (outcome == null && !clock.instant().isBefore(mine.since().plus(MAX_WAIT))) {
            return Optional.of(
                    new Logout(
                            Revocation.FAILED,
                            "the authorization server did not answer within %d s"
                                    .formatted(MAX_WAIT.toSeconds())));
        }
        return Optional.ofNullable(outcome);
    }

    private Begun begin(McpServer server) {
        AtomicReference<@Nullable Logout> outcome = new AtomicReference<>();
        Thread.ofVirtual()
                .name("login-revocation-" + server.key())
                .start(
                        () -> {
                            outcome.set(revoke(server));
                            ended.accept(server.key());
                        });
        return new Begun(server.metadata().uid(), clock.instant(), outcome);
    }

    private Logout revoke(McpServer server) {
        try {
            return revoke.apply(server);
        } catch (RuntimeException e) {
            // Whatever it is, the deletion goes on, and its event has the message.
            return new Logout(Revocation.FAILED, String.valueOf(e.getMessage()));
        }
    }

    /** Forgets a server that is gone. */
    public void forget(ResourceKey server) {
        begun.remove(server);
    }
}
