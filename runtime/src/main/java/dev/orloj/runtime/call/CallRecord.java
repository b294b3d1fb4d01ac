package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.trace.CallId;
import dev.orloj.runtime.trace.CallTrace;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One call as recorded in metrics, traces and audit, without arguments and result.
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
        String outcome,
        CallId id,
        CallTrace trace) {}
