package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.Optional;

/**
 * Somebody's wish to call a tool.
 *
 * @param arguments a missing node stands for no arguments
 * @param timeout instead of the tool's and the server's own
 * @param caller who asks, for the record
 */
public record CallRequest(
        ResourceKey tool, JsonNode arguments, Optional<Duration> timeout, String caller) {

    public CallRequest {
        if (timeout.isPresent() && !timeout.get().isPositive()) {
            throw new IllegalArgumentException("Timeout must be positive: " + timeout.get());
        }
    }

    /** Arguments may be secret. */
    @Override
    public String toString() {
        return "CallRequest[tool=" + tool + ", caller=" + caller + "]";
    }
}
