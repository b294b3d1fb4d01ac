package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One call as metrics and audit see it: no arguments, no result.
 *
 * @param server empty when the tool is not known
 * @param outcome {@link CallOutcome#label}
 */
public record CallRecord(
        String caller,
        ResourceKey tool,
        Optional<ResourceKey> server,
        Instant startedAt,
        Duration duration,
        String outcome) {}
