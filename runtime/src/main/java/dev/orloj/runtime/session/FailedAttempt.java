package dev.orloj.runtime.session;

import dev.orloj.runtime.session.definition.SessionKey;

import java.time.Duration;

/**
 * A failed attempt to open a session, except the last attempt.
 *
 * @param number number of the attempt, starting at 1
 * @param most maximum number of attempts
 * @param retryAfter wait before the next attempt
 */
public record FailedAttempt(
        SessionKey key, int number, int most, String cause, Duration retryAfter) {}
