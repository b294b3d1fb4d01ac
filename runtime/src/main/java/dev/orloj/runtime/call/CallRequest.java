package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.catalog.ResolvedTool;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.observation.CallId;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Optional;

/**
 * A client's request to call a tool.
 *
 * @param resolved the tool and its server, when the front door has looked them up; otherwise the
 *     caller looks them up by the name of the resource
 * @param arguments a missing node means no arguments
 * @param timeout overrides the timeouts of the tool and of the server
 * @param caller the client, for the record
 * @param extra members that the server receives in addition to name and arguments, such as {@code
 *     _meta}, which is an object if present; treated as read-only
 * @param progress receives the progress of the call
 * @param id the id by which the call can be traced
 * @param client the client that receives requests of the server
 */
public record CallRequest(
        ResourceKey tool,
        Optional<ResolvedTool> resolved,
        JsonNode arguments,
        Optional<Duration> timeout,
        String caller,
        ObjectNode extra,
        ProgressListener progress,
        CallId id,
        RequestingClient client) {

    /** The client of a request without an identity. */
    public static final String ANYBODY = "anonymous";

    public CallRequest {
        if (timeout.isPresent() && !timeout.get().isPositive()) {
            throw new IllegalArgumentException("Timeout must be positive: " + timeout.get());
        }
    }

    /** Creates a request with a name and arguments, for a client that only waits for the end. */
    public CallRequest(
            ResourceKey tool, JsonNode arguments, Optional<Duration> timeout, String caller) {
        this(
                tool,
                Optional.empty(),
                arguments,
                timeout,
                caller,
                JsonNodeFactory.instance.objectNode(),
                ProgressListener.NONE,
                CallId.NONE,
                RequestingClient.NONE);
    }

    public CallRequest withProgress(ProgressListener consumer) {
        return new CallRequest(
                tool, resolved, arguments, timeout, caller, extra, consumer, id, client);
    }

    /** Omits the arguments, which may be secret. */
    @Override
    public String toString() {
        return "CallRequest[tool=" + tool + ", caller=" + caller + "]";
    }
}
