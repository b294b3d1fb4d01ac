package dev.orloj.runtime.oauth;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** An access token for one server. {@code toString} does not show it. Thread-safe. */
public final class AccessToken {

    /** The wait for the response to the request that carries the token. */
    private static final Duration LAST_USE = Duration.ofSeconds(5);

    private static final Duration LONGEST_MARGIN = Duration.ofMinutes(1);
    private static final int MARGIN_DIVISOR = 5;

    private final String value;
    private final Instant expiry;
    private final Instant due;
    private final List<String> scopes;
    private volatile boolean accepted = false;

    /**
     * @param lifetime from now on
     * @param scopes that were requested
     */
    AccessToken(String value, Instant now, Duration lifetime, List<String> scopes) {
        Duration part = lifetime.dividedBy(MARGIN_DIVISOR);
        this.value = value;
        this.expiry = now.plus(lifetime);
        this.due = expiry.minus(part.compareTo(LONGEST_MARGIN) < 0 ? part : LONGEST_MARGIN);
        this.scopes = List.copyOf(scopes);
    }

    /** Returns the value of the header {@code Authorization}. */
    public String header() {
        return "Bearer " + value;
    }

    String value() {
        return value;
    }

    /** Returns the scopes that were requested for it. */
    List<String> scopes() {
        return scopes;
    }

    /** Returns whether it is time to get the next one. */
    boolean isDue(Instant now) {
        return !now.isBefore(due);
    }

    /** Returns whether a request that is sent now arrives before the token expires. */
    boolean isUsable(Instant now) {
        return now.isBefore(expiry.minus(LAST_USE)) || now.isBefore(due);
    }

    /** Returns whether the server has accepted it at least once. */
    boolean isAccepted() {
        return accepted;
    }

    void accept() {
        if (!accepted) {
            accepted = true;
        }
    }

    @Override
    public String toString() {
        return "AccessToken[expiry=" + expiry + "]";
    }
}
