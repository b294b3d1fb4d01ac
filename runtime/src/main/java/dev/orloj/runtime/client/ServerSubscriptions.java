package dev.orloj.runtime.client;

import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.transport.Transport;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.function.BiConsumer;

/**
 * Manages the subscriptions of one session with a server of 2026-07-28: to its lists, always, and
 * to the resources that clients subscribe to. Thread-safe.
 */
final class ServerSubscriptions {

    private static final String UPDATED = "notifications/resources/updated";

    private final String session;
    private final Transport transport;
    private final Era era;
    private final Scheduler clock;
    private final BiConsumer<String, @Nullable JsonNode> changed;
    private final ResourceSubscriber resources;

    private volatile @Nullable Thread lists;

    /**
     * @param session name of the session
     * @param changed called for each change that may have been missed, as for a notification of the
     *     server
     */
    ServerSubscriptions(
            String session,
            Transport transport,
            Era era,
            Scheduler clock,
            BiConsumer<String, @Nullable JsonNode> changed) {
        this.session = session;
        this.transport = transport;
        this.era = era;
        this.clock = clock;
        this.changed = changed;
        this.resources =
                new ResourceSubscriber(
                        session,
                        transport,
                        era,
                        clock,
                        uri ->
                                changed.accept(
                                        UPDATED,
                                        JsonNodeFactory.instance.objectNode().put("uri", uri)));
    }

    /**
     * Subscribes to changes of lists; called once, when the session begins.
     *
     * @param names names of the capabilities that have the lists
     */
    void followLists(List<String> names) {
        if (names.isEmpty()) {
            return;
        }
        ObjectNode filter = JsonNodeFactory.instance.objectNode();
        names.forEach(name -> filter.put(name + "ListChanged", true));
        lists =
                Thread.ofVirtual()
                        .name("orloj-changes-" + session)
                        .start(
                                new SubscriptionListener(
                                        transport,
                                        era,
                                        clock,
                                        filter,
                                        () -> missed(names),
                                        failure -> {}));
    }

    private void missed(List<String> names) {
        names.forEach(
                name -> changed.accept("notifications/%s/list_changed".formatted(name), null));
    }

    ResourceSubscriber resources() {
        return resources;
    }

    /** Ends the subscriptions. */
    void stop() {
        Thread following = lists;
        if (following != null) {
            following.interrupt();
        }
        resources.stop();
    }
}
