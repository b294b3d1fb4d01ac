package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.client.McpClient;
import dev.orloj.runtime.client.ResourceSubscriber;
import dev.orloj.runtime.listing.ServerList;
import dev.orloj.runtime.transport.ServerRequest;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.TransportListener;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Routes the notifications and requests of a server to the {@link McpClient} of the session or to
 * its {@link SessionListener}.
 */
final class ServerMessageRouter implements TransportListener {

    private static final String PROGRESS = "notifications/progress";
    private static final String CANCELLED = "notifications/cancelled";

    private final ResourceKey server;
    private final McpClient client;
    private final SessionListener listener;
    private final Consumer<ServerList> whenListChanges;
    private final Consumer<TransportException> whenClosed;

    /**
     * @param whenListChanges called before the listener
     * @param whenClosed receives the cause when the connection is closed
     */
    ServerMessageRouter(
            ResourceKey server,
            McpClient client,
            SessionListener listener,
            Consumer<ServerList> whenListChanges,
            Consumer<TransportException> whenClosed) {
        this.server = server;
        this.client = client;
        this.listener = listener;
        this.whenListChanges = whenListChanges;
        this.whenClosed = whenClosed;
    }

    @Override
    public void onNotification(String method, @Nullable JsonNode params) {
        Optional<ServerList> changed = ServerList.ofNotification(method);
        changed.ifPresent(whenListChanges);
        if (changed.equals(Optional.of(ServerList.TOOLS))) {
            listener.toolsChanged(server);
            return;
        }
        switch (method) {
            case PROGRESS -> client.progressed(params);
            case CANCELLED -> client.cancelled(params);
            case ResourceSubscriber.ACKNOWLEDGED -> client.acknowledged(params);
            case LogListener.METHOD -> {
                if (!client.logged(params)) {
                    listener.notified(server, method, params);
                }
            }
            default -> listener.notified(server, method, params);
        }
    }

    @Override
    public void onRequest(ServerRequest request) {
        client.asked(request);
    }

    @Override
    public void onClosed(TransportException cause) {
        whenClosed.accept(cause);
    }
}
