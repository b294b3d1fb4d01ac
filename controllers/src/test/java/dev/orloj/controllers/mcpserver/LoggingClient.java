package dev.orloj.controllers.mcpserver;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.LogLevel;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Optional;

/**
 * A client that gets what servers log.
 *
 * @param known equal for the calls of one client; empty for one that is not recognised
 */
record LoggingClient(Optional<Object> known) implements RequestingClient, LogListener {

    SessionRequest request() {
        return new SessionRequest(
                "tools/call",
                Json.MAPPER.createObjectNode().put("name", "log"),
                Duration.ofSeconds(10),
                ProgressListener.NONE,
                ParameterHeaders.NONE,
                this);
    }

    @Override
    public ClientCapabilities capabilities() {
        return ClientCapabilities.NONE;
    }

    @Override
    public Object identity() {
        return known.orElse(this);
    }

    @Override
    public LogListener logs() {
        return this;
    }

    @Override
    public Optional<LogLevel> level() {
        return Optional.empty();
    }

    @Override
    public void logged(ObjectNode params) {}

    @Override
    public JsonNode ask(ResourceKey server, String method, @Nullable JsonNode params) {
        throw new AssertionError("asked " + method);
    }
}
