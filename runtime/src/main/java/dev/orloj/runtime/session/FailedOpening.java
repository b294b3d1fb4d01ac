package dev.orloj.runtime.session;

import dev.orloj.runtime.session.definition.SessionKey;

import java.time.Duration;

/**
 * The failure to open a session after all attempts.
 *
 * @param cause the exception for waiting calls
 * @param inARow number of consecutive failed openings, including this one; a success, a change of
 *     the manifest or of a value that it uses resets it
 * @param retryAfter wait before the next opening
 */
public record FailedOpening(
        SessionKey key, SessionOpenException cause, int inARow, Duration retryAfter) {}
