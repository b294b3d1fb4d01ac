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
 * The changes that a server of 2026-07-28 is asked to tell of in one session: those of its lists,
 * all the time, and those of the resources that somebody wants to hear of. Thread-safe.
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
     * @param session its name
     * @param changed hears of what may have changed unheard of, as the server would have told it
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
     * Once, when the session begins.
     *
     * @param names of the capabilities that have the lists
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

    /** Hears no more. */
    void stop() {
        Thread following = lists;
        if (following != null) {
            following.interrupt();
        }
        resources.stop();
    }
}
