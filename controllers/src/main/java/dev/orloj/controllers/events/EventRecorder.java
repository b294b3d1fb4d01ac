package dev.orloj.controllers.events;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.Event;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.signature.Sha256;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * Records events. Events about the same resource with the same words are counted in one event. A
 * resource with too many events is rate limited. Best effort: an event that cannot be written is
 * logged and dropped, and never fails the operation it is about. Thread-safe.
 */
public final class EventRecorder {

    private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);
    private static final int LONGEST_MESSAGE = 1_024;
    private static final int LONGEST_NAME = 253;
    private static final int HASH_LENGTH = 16;

    private final ResourceClient client;
    private final InstantSource clock;
    private final String component;
    private final EventBurst burst = new EventBurst();

    /**
     * @param component that records the events, such as {@code mcpserver-controller}
     */
    public EventRecorder(ResourceClient client, InstantSource clock, String component) {
        this.client = client;
        this.clock = clock;
        this.component = component;
    }

    public void record(Resource about, Note note) {
        if (!burst.allows(about.metadata().uid(), clock.instant())) {
            return;
        }
        try {
            write(about, note);
        } catch (RuntimeException e) {
            if (e instanceof ApiException refusal && refusal.reason() == ErrorReason.FORBIDDEN) {
                // Its namespace is being deleted, and the event would be deleted too.
                return;
            }
            log.atWarn()
                    .addKeyValue("kind", about.kind())
                    .addKeyValue("key", about.key())
                    .addKeyValue("reason", note.reason())
                    .addKeyValue("error", e.toString())
                    .log("Event not recorded");
        }
    }

    private void write(Resource about, Note note) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        String namespace =
                about.metadata().namespace().isEmpty()
                        ? Namespace.DEFAULT
                        : about.metadata().namespace();
        ResourceKey key = new ResourceKey(namespace, name(about, note));
        try {
            client.create(Event.KIND, first(about, note, key, now));
        } catch (ApiException e) {
            if (e.reason() != ErrorReason.ALREADY_EXISTS) {
                throw e;
            }
            ObjectNode again = Json.MAPPER.createObjectNode();
            int count = client.get(Event.KIND, key).occurrences().count();
            again.put("count", count + 1).put("lastTimestamp", now.toString());
            client.patch(Event.KIND, key, again);
        }
    }

    private Event first(Resource about, Note note, ResourceKey key, Instant now) {
        return new Event(
                Event.KIND.apiVersion(),
                Event.KIND.name(),
                ObjectMeta.of(key.namespace(), key.name()),
                Event.ObjectReference.to(about),
                note.reason(),
                cut(note.message(), LONGEST_MESSAGE),
                note.type(),
                Event.Occurrences.once(now),
                "",
                Event.Reporter.of(component),
                null,
                null);
    }

    /** Returns the same name for the same words about the same uid, so that the store can count. */
    private static String name(Resource about, Note note) {
        String words =
                String.join(
                        "\0", about.metadata().uid(), note.type(), note.reason(), note.message());
        String prefix = cut(about.metadata().name(), LONGEST_NAME - HASH_LENGTH - 1);
        return prefix + "." + Sha256.hex(words).substring(0, HASH_LENGTH);
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length);
    }
}
