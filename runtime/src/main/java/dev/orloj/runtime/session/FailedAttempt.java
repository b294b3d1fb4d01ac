package dev.orloj.runtime.session;

import dev.orloj.runtime.session.definition.SessionKey;

import java.time.Duration;

/**
 * An attempt to open a session that failed, and is not the last.
 *
 * @param number 1 for the first
 * @param most how many are made
 * @param retryAfter the wait before the next
 */
public record FailedAttempt(
        SessionKey key, int number, int most, String cause, Duration retryAfter) {}
