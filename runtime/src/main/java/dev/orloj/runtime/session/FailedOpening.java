package dev.orloj.runtime.session;

import dev.orloj.runtime.session.definition.SessionKey;

import java.time.Duration;

/**
 * A session that did not open after all attempts.
 *
 * @param cause what waiting callers get
 * @param inARow failed openings since the last success, or since the manifest or a value that it
 *     uses changed; this one included
 * @param retryAfter the wait before the next
 */
public record FailedOpening(
        SessionKey key, SessionOpenException cause, int inARow, Duration retryAfter) {}
