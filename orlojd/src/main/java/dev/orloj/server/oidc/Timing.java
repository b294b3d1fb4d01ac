package dev.orloj.server.oidc;

import java.time.Duration;

/**
 * How often issuers are asked.
 *
 * @param retry after which an issuer that could not be reached is tried again
 * @param keysLifetime after which its keys are fetched again
 * @param keysInterval the least time between two fetches for unknown keys
 * @param keysOutage how long the last keys count without the issuer
 */
public record Timing(
        Duration retry, Duration keysLifetime, Duration keysInterval, Duration keysOutage) {

    /** How long a request may wait for another one that fetches the keys. */
    Duration keysWait() {
        Duration part = keysLifetime.dividedBy(4);
        return part.compareTo(Duration.ofSeconds(15)) < 0 ? part : Duration.ofSeconds(15);
    }

    /** How long before their end keys are fetched again, while they still count. */
    Duration keysAhead() {
        return keysLifetime.dividedBy(2);
    }
}
