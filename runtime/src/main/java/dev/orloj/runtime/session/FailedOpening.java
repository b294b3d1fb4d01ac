package dev.orloj.runtime.session;

import dev.orloj.runtime.session.definition.SessionKey;

import java.time.Duration;

/**
 * An opening that failed, after all its attempts.
 *
 * @param cause what the callers that waited for it get
 * @param inARow failed openings since the last that succeeded, or since the manifest or a value
 *     that it uses changed; this one included
 * @param retryAfter the wait before the next
 */
public record FailedOpening(
        SessionKey key, SessionOpenException cause, int inARow, Duration retryAfter) {}
