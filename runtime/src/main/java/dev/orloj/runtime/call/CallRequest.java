package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.trace.CallId;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Optional;

/**
 * Somebody's wish to call a tool.
 *
 * @param arguments a missing node stands for no arguments
 * @param timeout instead of the tool's and the server's own
 * @param caller who asks, for the record
 * @param extra what else the server is to get beside name and arguments, such as {@code _meta},
 *     which is an object where it is there; treated as read-only
 * @param progress hears how far the call has come
 * @param id under which the call can be traced
 * @param client whom the server may ask back
 */
public record CallRequest(
        ResourceKey tool,
        JsonNode arguments,
        Optional<Duration> timeout,
        String caller,
        ObjectNode extra,
        ProgressListener progress,
        CallId id,
        RequestingClient client) {

    /** The caller, as long as nobody says who they are. */
    public static final String ANYBODY = "anonymous";

    public CallRequest {
        if (timeout.isPresent() && !timeout.get().isPositive()) {
            throw new IllegalArgumentException("Timeout must be positive: " + timeout.get());
        }
    }

    /** One with a name and arguments, by somebody who waits for the end only. */
    public CallRequest(
            ResourceKey tool, JsonNode arguments, Optional<Duration> timeout, String caller) {
        this(
                tool,
                arguments,
                timeout,
                caller,
                JsonNodeFactory.instance.objectNode(),
                ProgressListener.NONE,
                CallId.NONE,
                RequestingClient.NONE);
    }

    public CallRequest withProgress(ProgressListener consumer) {
        return new CallRequest(tool, arguments, timeout, caller, extra, consumer, id, client);
    }

    /** Arguments may be secret. */
    @Override
    public String toString() {
        return "CallRequest[tool=" + tool + ", caller=" + caller + "]";
    }
}
