package dev.orloj.server.token;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.server.store.token.SigningKeyTable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The keys of the tokens of ServiceAccounts. The newest signs, and is replaced after {@link
 * #LIFETIME}; the others verify until no token of theirs can be valid. Thread-safe.
 */
public final class SigningKeys {

    static final Duration LIFETIME = Duration.ofDays(90);

    private static final Duration RELOAD_PERIOD = Duration.ofSeconds(1);

    private final SigningKeyTable table;
    private final InstantSource clock;

    @GuardedBy("this")
    private List<SigningKey> keys = List.of();

    @GuardedBy("this")
    private Instant loadedAt = Instant.MIN;

    public SigningKeys(SigningKeyTable table, InstantSource clock) {
        this.table = table;
        this.clock = clock;
    }

    /** Returns the key that signs, a new one if the newest has done so long enough. */
    synchronized SigningKey current() {
        Instant now = clock.instant();
        if (isDue(now)) {
            load(now);
            if (isDue(now)) {
                table.add(SigningKey.create(now).stored());
                table.sweep(now.minus(LIFETIME).minus(AccountTokens.MAX_LIFETIME));
                load(now);
            }
        }
        return keys.getFirst();
    }

    @GuardedBy("this")
    private boolean isDue(Instant now) {
        return keys.isEmpty() || keys.getFirst().createdAt().plus(LIFETIME).isBefore(now);
    }

    /** Finds a key, also one that another replica has created meanwhile. */
    synchronized Optional<SigningKey> find(String id) {
        Optional<SigningKey> known = known(id);
        Instant now = clock.instant();
        if (known.isPresent() || loadedAt.plus(RELOAD_PERIOD).isAfter(now)) {
            return known;
        }
        load(now);
        return known(id);
    }

    @GuardedBy("this")
    private Optional<SigningKey> known(String id) {
        return keys.stream().filter(key -> key.id().equals(id)).findFirst();
    }

    @GuardedBy("this")
    private void load(Instant now) {
        keys = table.all().stream().map(SigningKey::of).toList();
        loadedAt = now;
    }
}
