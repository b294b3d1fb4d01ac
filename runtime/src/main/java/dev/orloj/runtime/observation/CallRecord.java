package dev.orloj.runtime.observation;

import dev.orloj.api.ResourceKey;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A tool call that has ended, without its arguments and its result.
 *
 * @param server empty when the tool is not known
 * @param outcome the label of the outcome
 */
public record CallRecord(
        String caller,
        ResourceKey tool,
        Optional<ResourceKey> server,
        Instant startedAt,
        Duration duration,
        String outcome,
        CallId id,
        CallTrace trace) {}
