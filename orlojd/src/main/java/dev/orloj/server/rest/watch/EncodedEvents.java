package dev.orloj.server.rest.watch;

import dev.orloj.api.codec.Json;
import dev.orloj.server.rest.presentation.Presentation;

import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Caches the JSON of the newest events, so that watches with equal presentations encode each once.
 * Safe for use by many threads.
 */
final class EncodedEvents {

    /** More than the distance between the watches that keep up. */
    private static final long MAX_BYTES = 2L * 1024 * 1024;

    /** One event in one form; documents are compared by identity. */
    private record Key(ObjectNode document, String type, Presentation presentation) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key
                    && document == key.document
                    && type.equals(key.type)
                    && presentation.equals(key.presentation);
        }

        @Override
        public int hashCode() {
            return 31 * System.identityHashCode(document) + type.hashCode();
        }
    }

    private final Map<Key, byte[]> encodings = new ConcurrentHashMap<>();
    private final Queue<Key> oldestFirst = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong();

    /**
     * @param document must not change once a watch has sent it
     */
    byte[] of(String type, ObjectNode document, Presentation presentation) {
        if (!presentation.isCommon()) {
            return encode(type, presentation.event(document));
        }
        Key key = new Key(document, type, presentation);
        byte[] encoding = encodings.computeIfAbsent(key, this::remembered);
        forgetOldest();
        return encoding;
    }

    private void forgetOldest() {
        while (bytes.get() > MAX_BYTES) {
            Key oldest = oldestFirst.poll();
            byte[] forgotten = oldest == null ? null : encodings.remove(oldest);
            if (forgotten == null) {
                return; // other threads hold the lock
            }
            bytes.addAndGet(-forgotten.length);
        }
    }

    private byte[] remembered(Key key) {
        byte[] encoding = encode(key.type(), key.presentation().event(key.document()));
        oldestFirst.add(key);
        bytes.addAndGet(encoding.length);
        return encoding;
    }

    static byte[] encode(String type, ObjectNode object) {
        ObjectNode event = Json.MAPPER.createObjectNode();
        event.put("type", type);
        event.set("object", object);
        return Json.MAPPER.writeValueAsBytes(event);
    }
}
