package dev.orloj.server.mcp;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionListener;
import dev.orloj.server.mcp.catalog.FeatureCache;
import dev.orloj.server.mcp.catalog.FeatureNames;
import dev.orloj.server.mcp.catalog.FeatureNames.Owned;
import dev.orloj.server.mcp.catalog.Visibility;
import dev.orloj.server.mcp.elicitation.UrlElicitations;
import dev.orloj.server.mcp.protocol.ListKind;
import dev.orloj.server.mcp.protocol.ReservedMeta;
import dev.orloj.server.mcp.session.SessionLogLevels;
import dev.orloj.server.mcp.subscriptions.ResourceSubscriptions;
import dev.orloj.server.mcp.subscriptions.Subscription;
import dev.orloj.server.mcp.subscriptions.Subscriptions;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Forwards notifications of servers to the clients they concern. Changes of tools come from the
 * catalogue instead, once the changed list can be read there.
 */
final class NotificationRouter implements SessionListener {

    private static final String RESOURCE_UPDATED = "notifications/resources/updated";

    private final FeatureCache cache;
    private final Subscriptions subscriptions;
    private final ResourceSubscriptions resources;
    private final UrlElicitations elicitations;
    private final SessionLogLevels logLevels;

    NotificationRouter(
            FeatureCache cache,
            Subscriptions subscriptions,
            ResourceSubscriptions resources,
            UrlElicitations elicitations,
            SessionLogLevels logLevels) {
        this.cache = cache;
        this.subscriptions = subscriptions;
        this.resources = resources;
        this.elicitations = elicitations;
        this.logLevels = logLevels;
    }

    @Override
    public void opened(ResourceKey server, SessionInfo session) {
        cache.forget(server);
    }

    @Override
    public void closed(ResourceKey server, SessionInfo session, String cause, boolean failure) {}

    @Override
    public void toolsChanged(ResourceKey server) {}

    @Override
    public void notified(ResourceKey server, String method, @Nullable JsonNode params) {
        if (method.equals(ListKind.PROMPTS.notification())) {
            listChanged(server, ListKind.PROMPTS);
        } else if (method.equals(ListKind.RESOURCES.notification())) {
            listChanged(server, ListKind.RESOURCES);
        } else if (params instanceof ObjectNode notification && method.equals(RESOURCE_UPDATED)) {
            updated(server, notification);
        } else if (params instanceof ObjectNode notification
                && method.equals(UrlElicitations.COMPLETE)) {
            elicitations.completed(server, notification, subscriptions);
        } else if (params instanceof ObjectNode notification && method.equals(LogListener.METHOD)) {
            subscriptions.send(
                    server,
                    new Notification(method, notification),
                    to -> to.filter().logs() && logLevels.admit(to.session(), notification));
        }
    }

    private void listChanged(ResourceKey server, ListKind list) {
        cache.forget(server, list);
        subscriptions.listChanged(list, server);
    }

    private void updated(ResourceKey server, ObjectNode notification) {
        Owned resource = new Owned(server, notification.path("uri").asString(""));
        for (Subscription to : subscriptions.of(server)) {
            if (!Visibility.connects(server, to.rights())) {
                continue;
            }
            String uri = FeatureNames.uri(to.scope(), server, resource.name());
            if (to.filter().resources().contains(uri)
                    || resources.isSubscribed(to.session(), resource)) {
                to.send(
                        new Notification(
                                RESOURCE_UPDATED,
                                ReservedMeta.without(notification).put("uri", uri)));
            }
        }
    }
}
