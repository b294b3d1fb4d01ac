package dev.orloj.server.mcp.subscriptions;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.catalog.CatalogListener;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.mcp.catalog.FeatureNames;
import dev.orloj.server.mcp.catalog.FeatureNames.Owned;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.ListKind;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Holds the listening clients of this replica. Changes of the catalogue, which follows the change
 * log of the store on every replica, go to each client that can see them. Many changes at once,
 * such as all tools of a new server, become one notification. Thread-safe.
 */
public final class Subscriptions implements CatalogListener {

    /** Longer than a reconciler needs to write what it has found. */
    private static final Duration SETTLING = Duration.ofMillis(100);

    private final Scheduler clock;
    private final ToolCatalog catalog;
    private final Set<Subscription> open = ConcurrentHashMap.newKeySet();
    private final Map<ListKind, Set<ResourceKey>> unsettled = new EnumMap<>(ListKind.class);
    private final AtomicBoolean settling = new AtomicBoolean();

    /**
     * @param catalog where the tools of users with rights to single ones are looked up
     */
    public Subscriptions(Scheduler clock, ToolCatalog catalog) {
        this.clock = clock;
        this.catalog = catalog;
        for (ListKind list : ListKind.values()) {
            unsettled.put(list, ConcurrentHashMap.newKeySet());
        }
    }

    /**
     * @param session id of the session that it ends with; empty when there is none
     * @param rights of the user, with the last of which it ends
     */
    public Subscription open(
            EndpointScope scope, String session, Rights rights, SubscriptionFilter filter) {
        SeenLists seen = rights.dependOnUser() ? new SeenLists(catalog, scope, rights) : null;
        Subscription subscription = new Subscription(this, scope, session, rights, filter, seen);
        open.add(subscription);
        subscription.begin();
        return subscription;
    }

    void remove(Subscription subscription) {
        open.remove(subscription);
    }

    public int count() {
        return open.size();
    }

    /** Ends the subscriptions of a session. */
    public void closeSession(String session) {
        open.stream()
                .filter(subscription -> subscription.session().equals(session))
                .forEach(Subscription::close);
    }

    /** The subscriptions that can see a server. */
    public List<Subscription> of(ResourceKey server) {
        return open.stream().filter(each -> each.scope().covers(server)).toList();
    }

    /** Whether any subscription includes a resource, under any of its names. */
    boolean isWanted(Owned resource) {
        return of(resource.server()).stream().anyMatch(each -> wants(each, resource));
    }

    private static boolean wants(Subscription listener, Owned resource) {
        String uri = FeatureNames.uri(listener.scope(), resource.server(), resource.name());
        return listener.filter().resources().contains(uri);
    }

    /**
     * Sends a notification of a server to the subscriptions that can see the server and select it.
     */
    public void send(ResourceKey server, Notification message, Predicate<Subscription> wanted) {
        of(server).stream().filter(wanted).forEach(each -> each.send(message));
    }

    @Override
    public void toolsChanged(ResourceKey server) {
        listChanged(ListKind.TOOLS, server);
    }

    @Override
    public void featuresChanged(ResourceKey server) {
        listChanged(ListKind.PROMPTS, server);
        listChanged(ListKind.RESOURCES, server);
    }

    /** Sends the change soon, merged with other changes until then. */
    public void listChanged(ListKind list, ResourceKey server) {
        if (open.isEmpty()) {
            return;
        }
        unsettledOf(list).add(server);
        if (settling.compareAndSet(false, true)) {
            clock.schedule(
                    SETTLING,
                    () -> Thread.ofVirtual().name("orloj-mcp-changes").start(this::notifyChanged));
        }
    }

    private void notifyChanged() {
        // Before the collection: a change from now on schedules another.
        settling.set(false);
        for (ListKind list : ListKind.values()) {
            Set<ResourceKey> changed = unsettledOf(list);
            for (ResourceKey server : changed) {
                changed.remove(server);
                of(server).forEach(subscription -> subscription.listChanged(list, server));
            }
        }
    }

    private Set<ResourceKey> unsettledOf(ListKind list) {
        return Objects.requireNonNull(unsettled.get(list));
    }
}
