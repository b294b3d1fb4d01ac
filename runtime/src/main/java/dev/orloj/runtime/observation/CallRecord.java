package dev.orloj.runtime.observation;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.examination.ResultDecision;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A tool call that has ended, without its arguments and its result.
 *
 * @param server empty when the tool is not known
 * @param outcome the label of the outcome
 * @param decision what was done about the content of the result; empty if it had nothing, or was
 *     not examined
 */
public record CallRecord(
        String caller,
        ResourceKey tool,
        Optional<ResourceKey> server,
        Instant startedAt,
        Duration duration,
        String outcome,
        CallId id,
        CallTrace trace,
        Optional<ResultDecision> decision) {}
