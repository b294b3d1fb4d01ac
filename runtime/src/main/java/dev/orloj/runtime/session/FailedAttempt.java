package dev.orloj.runtime.session;

import dev.orloj.runtime.session.definition.SessionKey;

import java.time.Duration;

/**
 * A failed attempt to open a session, other than the last.
 *
 * @param number 1 for the first
 * @param most the maximum of attempts
 * @param retryAfter the wait before the next
 */
public record FailedAttempt(
        SessionKey key, int number, int most, String cause, Duration retryAfter) {}
