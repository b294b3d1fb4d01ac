package dev.orloj.runtime.pod;

import java.time.Duration;

import javax.crypto.SecretKey;

/**
 * Settings of Pods that keep running when orlojd stops.
 *
 * @param key for HMAC-SHA-256, the same at all replicas; marks the Pods with their definition
 */
public record AdoptionSettings(SecretKey key) {

    /** How long a Pod runs that no session uses. */
    static final Duration MOST_UNCLAIMED = Duration.ofMinutes(5);
}
