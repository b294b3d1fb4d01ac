package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.call.CallOutcome.ServerUnavailable;
import dev.orloj.runtime.catalog.ServerEntry;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.trace.CallTracer;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/**
 * Passes requests about anything but tools - prompts, resources, completion - to their server. They
 * count among its calls and share their limits. Thread-safe.
 */
public final class ServerCaller {

    private final ToolCatalog catalog;
    private final ServerExchange exchange;

    public ServerCaller(ToolCatalog catalog, ServerExchange exchange) {
        this.catalog = catalog;
        this.exchange = exchange;
    }

    /**
     * @param params sent as they are
     * @param client whom the server may ask back
     * @return {@link CallOutcome.Completed} with the result as received, or why there is none
     * @throws InterruptedException when the caller's thread was interrupted; the server was told
     */
    public CallOutcome call(
            ResourceKey server,
            String method,
            ObjectNode params,
            ProgressListener progress,
            RequestingClient client)
            throws InterruptedException {
        Optional<ServerEntry> entry = catalog.findServer(server);
        if (entry.isEmpty()) {
            return unavailable(server);
        }
        SessionRequest request =
                new SessionRequest(
                        method,
                        params,
                        entry.get().definition().callTimeout(),
                        progress,
                        ParameterHeaders.NONE,
                        client);
        return new CallTracer()
                .scope()
                .call(() -> exchange.send(entry.get(), request))
                .orElseGet(() -> unavailable(server));
    }

    /** As above, on behalf of somebody who is asked nothing. */
    public CallOutcome call(
            ResourceKey server, String method, ObjectNode params, ProgressListener progress)
            throws InterruptedException {
        return call(server, method, params, progress, RequestingClient.NONE);
    }

    /**
     * Does what another replica asks for, in a session of this one or not at all: nothing is passed
     * on twice.
     *
     * @param request whose arguments are mirrored in headers as the tool wants it
     * @throws InterruptedException when the caller's thread was interrupted; the server was told
     */
    public CallOutcome callHere(ResourceKey server, SessionRequest request)
            throws InterruptedException {
        Optional<ServerEntry> entry = catalog.findServer(server);
        if (entry.isEmpty()) {
            return unavailable(server);
        }
        SessionRequest complete =
                new SessionRequest(
                        request.method(),
                        request.params(),
                        request.timeout(),
                        request.progress(),
                        mirrored(server, request.method(), request.params()),
                        request.client());
        return exchange.sendHere(entry.get(), complete).orElseGet(() -> unavailable(server));
    }

    private ParameterHeaders mirrored(ResourceKey server, String method, ObjectNode params) {
        return method.equals("tools/call")
                ? catalog.findByServerName(server, params.path("name").asString(""))
                        .map(ToolEntry::mirrored)
                        .orElse(ParameterHeaders.NONE)
                : ParameterHeaders.NONE;
    }

    private CallOutcome unavailable(ResourceKey server) {
        String why = catalog.findRefusal(server).orElse("is not there, or was not accepted");
        return new ServerUnavailable(server, "it " + why, false);
    }
}
